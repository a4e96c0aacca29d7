package gocmd

import (
	"maps"
	"slices"
	"strings"
)

// takesValue has go's flags. The value of a flag that takes one is in the next argument or after =; a
// switch has a value only if one is attached with =.
var takesValue = map[string]bool{}

func init() {
	for value, names := range map[bool]string{
		false: `a n x v race msan asan cover work json linkshared
			modcacherw trimpath buildvcs i
			c benchmem failfast short fullpath artifacts`,
		true: `C p covermode coverpkg coverprofile asmflags buildmode
			compiler gccgoflags gcflags installsuffix ldflags mod modfile overlay pgo
			pkgdir tags toolexec o exec vet bench benchtime blockprofile
			blockprofilerate count cpu cpuprofile fuzz fuzztime fuzzminimizetime list
			memprofile memprofilerate mutexprofile mutexprofilefraction outputdir
			parallel run skip timeout trace shuffle debug-actiongraph
			debug-runtime-trace debug-trace`,
	} {
		for name := range strings.FieldsSeq(names) {
			takesValue[name] = value
		}
	}
}

// Known reports whether go has a flag of this name. A newer go may have more.
func Known(name string) bool {
	known, _ := find(name, None)
	return known
}

// BuildFlags lists the names of go's flags, sorted.
func BuildFlags() []string { return slices.Sorted(maps.Keys(takesValue)) }

// A Flag is one flag on a command line.
type Flag struct {
	Name  string
	Value string // "" for a switch without =
	Args  []string
}

// On reports whether the flag, a switch, is switched on.
func (f Flag) On() bool {
	return f.Value != "false" && f.Value != "0" && f.Value != "f" && f.Value != "F"
}

// Split separates the flags at the front of the arguments of `go build`,
// install, run or test from the rest (packages, a program's arguments, flags
// that only a test binary knows). own says which other flags to accept, and
// whether they take a value.
func Split(args []string, own func(name string) (known, value bool)) (flags []Flag, rest []string) {
	for len(args) > 0 {
		name, value, attached, ok := Cut(args[0])
		if !ok {
			break
		}
		known, takes := find(name, own)
		if !known && !attached {
			break
		}
		n := 1
		if takes && !attached && len(args) > 1 {
			n, value = 2, args[1]
		}
		flags = append(flags, Flag{name, value, args[:n:n]})
		args = args[n:]
	}
	return flags, args
}

// Cut splits an argument -name, --name or -name=value; ok is false for other arguments.
func Cut(arg string) (name, value string, attached, ok bool) {
	name, ok = strings.CutPrefix(arg, "-")
	if !ok || name == "" || name == "-" {
		return "", "", false, false
	}
	name, value, attached = strings.Cut(strings.TrimPrefix(name, "-"), "=")
	return name, value, attached, true
}

// find reports whether there is a flag, and whether it takes a value.
func find(name string, own func(name string) (known, value bool)) (known, takes bool) {
	if known, takes := own(name); known {
		return known, takes
	}
	takes, known = takesValue[strings.TrimPrefix(name, "test.")]
	return known, takes
}

// SplitTest is Split for `go test`, whose flags may also follow the packages or
// flags that only the test binary knows. It returns all flags that the go command
// itself reads; the rest is in order.
func SplitTest(args []string, own func(name string) (known, value bool)) (flags []Flag, rest []string) {
	packages := false // a package, or an unknown flag that may have a value, has been seen
	for len(args) > 0 {
		f, r := Split(args, own)
		for _, f := range f {
			if known, _ := find(f.Name, own); known {
				flags = append(flags, f)
			} else {
				rest, packages = append(rest, f.Args...), true
			}
		}
		args = r
		switch {
		case len(args) == 0:
		case args[0] == "--" || args[0] == "-args" || args[0] == "--args":
			return flags, append(rest, args...)
		case len(args[0]) >= 2 && args[0][0] == '-':
			rest, args, packages = append(rest, args[0]), args[1:], true
		case packages:
			return flags, append(rest, args...)
		default:
			for len(args) > 0 && (len(args[0]) < 2 || args[0][0] != '-') {
				rest, args = append(rest, args[0]), args[1:]
			}
			packages = true
		}
	}
	return flags, rest
}

// Line is SplitTest for the arguments of `go test`, and Split for the arguments of the
// other commands.
func Line(name string, args []string, own func(name string) (known, value bool)) (flags []Flag, rest []string) {
	if name == "test" {
		return SplitTest(args, own)
	}
	return Split(args, own)
}

// None accepts no flags but go's own.
func None(string) (known, value bool) { return false, false }

// Fields splits text as the go command splits GOFLAGS and -toolexec: at white space, with
// quotes around words that contain white space. An unterminated quote ends with the text.
func Fields(text string) []string {
	var fields []string
	for text = strings.TrimLeft(text, " \t\n\r"); text != ""; text = strings.TrimLeft(text, " \t\n\r") {
		if q := text[0]; q == '\'' || q == '"' {
			f, rest, _ := strings.Cut(text[1:], string(q))
			fields, text = append(fields, f), rest
			continue
		}
		i := strings.IndexAny(text, " \t\n\r")
		if i < 0 {
			i = len(text)
		}
		fields, text = append(fields, text[:i]), text[i:]
	}
	return fields
}

// Quote joins words so that Fields (and the go command) splits them again. A
// word with both kinds of quotes cannot be written that way: then ok is false.
func Quote(words []string) (text string, ok bool) {
	var out []string
	for _, w := range words {
		switch {
		case w != "" && !strings.ContainsAny(w, " \t\n\r'\""):
		case !strings.Contains(w, "'"):
			w = "'" + w + "'"
		case !strings.Contains(w, `"`):
			w = `"` + w + `"`
		default:
			return "", false
		}
		out = append(out, w)
	}
	return strings.Join(out, " "), true
}
