package toolexec

import (
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/cmd/internal/option"
)

// call is one tool call of the go command.
type call struct {
	tool  string   // path of the tool
	name  string   // its base name: compile, asm, link, …
	flags []string // the arguments before the files
	files []string // the trailing Go (or, for asm, assembly) files
	set   map[string]string
	// marked says that the wrapper has marked the package (option.Mark). The mark is not
	// among the flags.
	marked bool
	// planDigest is the digest of the package's plan, "" if there is none (option.Plan).
	// Its flag is not among the flags.
	planDigest string
}

// parseCall splits the arguments of a tool into flags and files.
//
// The files are the trailing arguments with the tool's source suffix: no flag that the
// go command itself puts last takes such a value. Flags are read as package flag reads
// them. A flag that is not a known switch takes the next argument as its value, unless
// that looks like a flag. So an unknown flag may be misread, but it is passed on
// unchanged.
func parseCall(tool string, args []string) *call {
	c := &call{tool: tool, name: toolName(tool), set: make(map[string]string)}
	suffix := ".go"
	if c.name == "asm" {
		suffix = ".s"
	}
	n := len(args)
	for n > 0 && !strings.HasPrefix(args[n-1], "-") && strings.HasSuffix(args[n-1], suffix) {
		n--
	}
	c.flags, c.files = args[:n:n], args[n:]
	if slices.Contains(c.flags, option.Mark) {
		c.marked = true
		c.flags = slices.DeleteFunc(slices.Clone(c.flags), func(a string) bool { return a == option.Mark })
	}
	c.flags = slices.DeleteFunc(slices.Clone(c.flags), func(a string) bool {
		d, ok := strings.CutPrefix(a, option.Plan)
		if ok {
			c.planDigest = d
		}
		return ok
	})
	for i := 0; i < len(c.flags); i++ {
		a := c.flags[i]
		if len(a) < 2 || a[0] != '-' {
			continue
		}
		name, value, given := strings.Cut(strings.TrimPrefix(a[1:], "-"), "=")
		switch {
		case given:
		case switches[name]:
			value = "true"
		case i+1 < len(c.flags) && !strings.HasPrefix(c.flags[i+1], "-"):
			i++
			value = c.flags[i]
		}
		c.set[name] = value
	}
	return c
}

// toolName returns the tool's name without folder and Windows suffix.
func toolName(path string) string {
	name := filepath.Base(path)
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".exe") {
		name = name[:len(name)-len(ext)]
	}
	return name
}

// on reports whether a switch is given and not switched off.
func (c *call) on(name string) bool {
	v, ok := c.set[name]
	return ok && v != "false" && v != "0"
}

// replaceFlag returns the flags with the value of a flag replaced. The flag must
// be among them.
func replaceFlag(flags []string, name, value string) []string {
	out := append([]string(nil), flags...)
	for i, a := range out {
		if len(a) < 2 || a[0] != '-' {
			continue
		}
		n, _, given := strings.Cut(strings.TrimPrefix(a[1:], "-"), "=")
		if n != name {
			continue
		}
		if given {
			out[i] = "-" + name + "=" + value
		} else if i+1 < len(out) {
			out[i+1] = value
		}
	}
	return out
}

// flagValue returns the value of a flag, "" if it is not among the flags.
func flagValue(flags []string, name string) string {
	value := ""
	for i, a := range flags {
		if len(a) < 2 || a[0] != '-' {
			continue
		}
		n, v, given := strings.Cut(strings.TrimPrefix(a[1:], "-"), "=")
		switch {
		case n != name:
		case given:
			value = v
		case i+1 < len(flags):
			value = flags[i+1]
		}
	}
	return value
}

// dropFlag returns the flags without a switch.
func dropFlag(flags []string, name string) []string {
	var out []string
	for _, a := range flags {
		if n, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "="); strings.HasPrefix(a, "-") && n == name {
			continue
		}
		out = append(out, a)
	}
	return out
}

// switches are the flags of compile and asm that take no value.
var switches = func() map[string]bool {
	m := make(map[string]bool)
	for _, n := range strings.Fields(`% + B C E K L N S V W asan complete
		clobberdead clobberdeadreg dwarf dwarfbasentries dwarflocationlists
		dynlink e errorurl h j l linkshared live m msan nolocalimports pack r
		race shared smallframes std t v w wb
		debug gensymabis`) {
		m[n] = true
	}
	return m
}()
