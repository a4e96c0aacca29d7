package toolexec

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/scope"
	"taskinstr/internal/site"
)

// An instrumented program names its settings in debug.BuildInfo, as one that was built
// with -race does. The go command passes the text of BuildInfo to the linker, in the line
// modinfo of its import configuration, and link adds the settings there. They are part
// of the linker's identity too (settingsKey), so that a program with other settings is
// linked anew.

// settingName begins the names of build settings. By itself it is the name of the
// setting that holds the version.
const settingName = "taskinstr"

// link runs the linker with the settings added to its import configuration, and the
// defaults of options that the program reads (defaults.go) to its flags.
func link(c *call, o option.Set, stdout, stderr io.Writer) error {
	name, flags := c.set["importcfg"], setDefaults(c.flags, defaults(o))
	if name == "" {
		return pass(c.tool, flags, stdout, stderr)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	linked := linkedPackages(text, os.Getenv("TOOLEXEC_IMPORTPATH"))
	checked, known := countChecked(o, linked)
	if known && checked == 0 && nothingChecked(o) {
		fmt.Fprintf(stderr, "taskinstr: warning: %s\n", scope.Nothing(o.Pkgs))
	}
	if o.Wrapper == "" && o.WholeProgram() {
		if _, digests, err := readDigests(); err != nil || digests == nil {
			o.Scope = option.ScopePackage // planBuild could not plan the program
		}
	}
	info := settings(o)
	if known {
		info = append(info, [2]string{"packages", fmt.Sprintf("%d of %d", checked, len(linked))})
	}
	if text, err = withSettings(text, info); err != nil {
		return err
	}
	if flags, err = setFinals(flags, text); err != nil {
		return err
	}
	changed := filepath.Join(filepath.Dir(name), "taskinstr.importcfg.link")
	if err := os.WriteFile(changed, text, 0o666); err != nil {
		return tempError(err)
	}
	var msg bytes.Buffer
	err = pass(c.tool, uncompressed(c, replaceFlag(flags, "importcfg", changed)), &msg, &msg)
	short, pkgs := withoutChains(msg.Bytes())
	stdout.Write(short)
	if err != nil && len(pkgs) > 0 {
		return fmt.Errorf("functions marked go:nosplit leave too little stack for checks in %s; leave these packages out: set -pkgs to patterns that do not match them", strings.Join(pkgs, ", "))
	}
	return err
}

// tooDeep stands in the linker's message about a function from which a chain of calls takes too much stack.
const tooDeep = ": nosplit stack over "

// withoutChains returns the linker's messages without the chains of such functions, which may be
// thousands of lines through the detector, and the packages of the functions.
func withoutChains(msg []byte) (short []byte, pkgs []string) {
	if !bytes.Contains(msg, []byte(tooDeep)) {
		return msg, nil
	}
	for line := range bytes.Lines(msg) {
		text := string(line)
		if strings.HasPrefix(text, " ") || strings.HasSuffix(text, "<1>\n") {
			continue
		}
		short = append(short, line...)
		if name, _, ok := strings.Cut(text, tooDeep); ok {
			pkgs = append(pkgs, site.PackageOf(name))
		}
	}
	slices.Sort(pkgs)
	return short, slices.Compact(pkgs)
}

// uncompressed adds -compressdwarf=false to the linker's flags, unless the user's flags decide about debug information.
// Compression takes a fifth of the linker's time, after each changed line: with it a changed line of a gRPC program
// takes 1.31 of -race's time, without it 1.12. Executables are a third larger.
func uncompressed(c *call, flags []string) []string {
	for _, name := range []string{"compressdwarf", "s", "w"} {
		if _, given := c.set[name]; given {
			return flags
		}
	}
	return append([]string{"-compressdwarf=false"}, flags...)
}

// settings returns the settings that follow from the options.
func settings(o option.Set) [][2]string {
	list := [][2]string{{"", Version()}, {"passes", o.Passes.String()}}
	if o.Optimized() {
		list = append(list, [2]string{"scope", o.Scope})
	}
	pkgs := strings.Join(o.Pkgs, ",")
	if sel, err := scope.New("", o.Pkgs); err == nil {
		pkgs = sel.String()
	}
	list = append(list, [2]string{"pkgs", pkgs})
	if o.Locks != option.LocksAll {
		list = append(list, [2]string{"locks", o.Locks})
	}
	if o.Detector != "" {
		list = append(list, [2]string{"detector", o.Detector})
	}
	if o.Stats != "" {
		list = append(list, [2]string{"stats", o.Stats})
	}
	return list
}

// settingsKey returns the settings' part of the linker's identity. The number of checked
// packages is not in it: it follows from the packages, which the go command knows.
func settingsKey(o option.Set) string { return fmt.Sprintf("settings %q", settings(o)) }

// withSettings returns an import configuration with settings added to its line modinfo.
func withSettings(cfg []byte, settings [][2]string) ([]byte, error) {
	const verb = "modinfo "
	var add strings.Builder
	for _, s := range settings {
		key, value := settingName, s[1]
		if s[0] != "" {
			key += "." + s[0]
		}
		if strings.ContainsAny(value, " \t\r\n\"`") {
			value = strconv.Quote(value)
		}
		fmt.Fprintf(&add, "build\t%s=%s\n", key, value)
	}
	var out bytes.Buffer
	for line := range bytes.Lines(cfg) {
		quoted, ok := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte(verb))
		if !ok {
			out.Write(line)
			continue
		}
		info, err := strconv.Unquote(string(quoted))
		if err != nil || len(info) < 2*modinfoMark {
			return nil, fmt.Errorf("cannot read the build settings that the go command hands the linker (%.40s…); this is a defect of taskinstr, please report it", quoted)
		}
		end := len(info) - modinfoMark
		fmt.Fprintf(&out, "%s%q\n", verb, info[:end]+add.String()+info[end:])
	}
	return out.Bytes(), nil
}

// modinfoMark is the length of the marker before and after the text of debug.BuildInfo, by
// which readers find the text in a program.
const modinfoMark = 16

// packageFiles returns the packages of an import configuration, by path, and their archives.
func packageFiles(cfg []byte) iter.Seq2[string, string] {
	return func(yield func(path, file string) bool) {
		for line := range strings.Lines(string(cfg)) {
			if p, ok := strings.CutPrefix(strings.TrimSpace(line), "packagefile "); ok {
				if path, file, _ := strings.Cut(p, "="); !yield(path, file) {
					return
				}
			}
		}
	}
}

// linkedPackages returns the packages of a program as the go command describes them.
// program is the description of its main package. The main package that go test generates
// for a test binary is left out.
func linkedPackages(cfg []byte, program string) (list []string) {
	tested, test := strings.CutSuffix(program, ".test")
	for path := range packageFiles(cfg) {
		switch {
		case test && path == program:
		case test && path == tested+"_test":
			list = append(list, path+" ["+program+"]")
		default:
			list = append(list, path)
		}
	}
	return list
}

// countChecked returns how many of the packages get checks; known is false if the
// patterns cannot be resolved.
func countChecked(o option.Set, packages []string) (n int, known bool) {
	sel, err := scope.New("", o.Pkgs)
	if err != nil {
		return 0, false
	}
	for _, p := range packages {
		if _, skip := site.Skip(p); !skip && sel.Has(p) {
			n++
		}
	}
	return n, true
}

// nothingChecked reports whether no program of the running go command gets checks, as far
// as bare mode can know. Under the wrapper it returns false: the wrapper has warned already.
func nothingChecked(o option.Set) bool {
	if o.Wrapper != "" {
		return false
	}
	sel, err := scope.New("", o.Pkgs)
	if err != nil {
		return false
	}
	v := judge(o, sel)
	return v == nil || v.Checked == 0
}
