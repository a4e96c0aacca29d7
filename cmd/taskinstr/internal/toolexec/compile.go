package toolexec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/cmd/taskinstr/internal/archive"
	"taskinstr/cmd/taskinstr/internal/unit"
)

// source is one file of the package as it is compiled.
type source struct {
	orig string // the go command's file that it replaces; "" if added
	name string // base name
	data []byte // nil: orig is compiled as it is
}

// rewriter returns the output that replaces a call's files, nil if nothing changes.
type rewriter func(c *call) (*output, error)

// compile runs the compiler on the rewritten package.
func compile(c *call, rewrite rewriter, stdout, stderr io.Writer) error {
	out, err := rewrite(c)
	var source *sourceError
	switch {
	case errors.As(err, &source):
		// The user's code is wrong, and the compiler prints the best message.
		if err := original(c, stdout, stderr); err != nil {
			return err
		}
		return defect(c, fmt.Sprintf("cannot analyze the package, although the compiler accepts it (%v)", source.err))
	case err != nil:
		return err
	case out == nil:
		return original(c, stdout, stderr)
	}
	msg, err := out.compile(c)
	if rejected(err, msg) && out.unplanned != nil {
		// Is the plan to blame? If the compiler rejects the package with every check, too, the
		// message about that text is the better one.
		cause := fmt.Sprintf("the compiler rejects the package with the plan's checks: %s", unit.Line(string(msg)))
		if out, err = out.unplanned(&unit.Failure{Cause: cause}); err != nil {
			return err
		}
		msg, err = out.compile(c)
	}
	if err == nil {
		for _, m := range out.members {
			if err := archive.Append(c.set["o"], m.Name, m.Data); err != nil {
				return tempError(err)
			}
		}
		if out.failure != nil {
			warn(c, out.failure, stderr)
		}
		_, err := stdout.Write(withoutGenerated(msg))
		return err
	}
	// Is the user's code or the rewriting wrong? The compiler also rejects the original if
	// it has an error that the type checker does not see (a function without a body, a
	// misplaced directive). Package runtime has no original that compiles: under the build
	// tag race it needs the detector.
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	if !rejected(err, msg) {
		stdout.Write(msg)
		return exitOf(c.tool, err)
	}
	if c.set["p"] == "runtime" {
		stdout.Write(msg)
		return defect(c, "the compiler rejects the package with the detector in it")
	}
	if err := original(c, stdout, stderr); err != nil {
		return err
	}
	stdout.Write(msg)
	return defect(c, "the compiler rejects the package with checks in it, although it accepts it without")
}

// compile runs the compiler on the output and returns what the compiler prints. The error is
// an *exec.ExitError if the compiler failed.
func (o *output) compile(c *call) ([]byte, error) {
	flags, files, err := o.write(c)
	if err != nil {
		return nil, err
	}
	r := reuseOf(c, flags, files)
	if r.restore() {
		return nil, nil
	}
	var msg bytes.Buffer
	cmd := exec.Command(c.tool, append(flags, files...)...)
	cmd.Env = append(os.Environ(), collecting(files)...)
	cmd.Stdout, cmd.Stderr = &msg, &msg
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil && msg.Len() == 0:
		r.save()
	case err != nil && !errors.As(err, &exit):
		return nil, exitOf(c.tool, err)
	}
	return msg.Bytes(), err
}

// rejected reports whether the compiler ran to its end and failed, with the message msg. A compiler that was
// killed, for want of memory say, or that cannot write its output has not judged the text.
func rejected(err error, msg []byte) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() > 0 && !bytes.Contains(msg, []byte("writing output: "))
}

// DebugVar names the environment variable that shows an internal error's stack.
const DebugVar = "TASKINSTR_DEBUG"

// warn says in one line that the package gets every check, and why. The go command prints
// the line at each build, also when it takes the package from its cache.
func warn(c *call, f *unit.Failure, stderr io.Writer) {
	fmt.Fprintf(stderr, "taskinstr: %s: built with every check, without optimizations: %s; this is a defect of taskinstr, please report it with this line, the version of the package and `taskinstr version`\n", packagePath(c), f.Cause)
	if f.Stack != nil && os.Getenv(DebugVar) != "" {
		stderr.Write(f.Stack)
	}
}

// original compiles the package as the go command requested.
func original(c *call, stdout, stderr io.Writer) error {
	r := reuseOf(c, c.flags, c.files)
	if r == nil {
		return runTool(c.tool, append(c.flags, c.files...), collecting(c.files), stdout, stderr)
	}
	if r.restore() {
		return nil
	}
	var msg bytes.Buffer
	err := runTool(c.tool, append(c.flags, c.files...), collecting(c.files), io.MultiWriter(stdout, &msg), io.MultiWriter(stderr, &msg))
	if err == nil && msg.Len() == 0 {
		r.save()
	}
	return err
}

// withoutGenerated drops the compiler's messages about the generated file (with
// -gcflags=-m), which the user did not write.
func withoutGenerated(msg []byte) []byte {
	var out []byte
	for line := range bytes.Lines(msg) {
		if !bytes.HasPrefix(line, []byte(generatedName+":")) {
			out = append(out, line...)
		}
	}
	return out
}

// defect returns an error for a failure of this program on one package. It names the
// workaround.
func defect(c *call, what string) error {
	path := packagePath(c)
	return fmt.Errorf("%s: %s; this is a defect of taskinstr, please report it. Meanwhile leave the package out: set -pkgs to patterns that do not match %s", path, what, path)
}

// A sourceError says that the package did not type-check.
type sourceError struct{ err error }

func (e *sourceError) Error() string { return e.err.Error() }
func (e *sourceError) Unwrap() error { return e.err }

// output holds the changed files and flags of a compile call.
type output struct {
	sources      []source
	dropComplete bool
	dropNoInline bool         // drop -l: without inlining, frames of the detector exceed the limit of nosplit functions
	checkptr     bool         // the compiler instruments conversions of unsafe pointers
	minLang      string       // the language version that added code needs
	members      []unit.Bytes // for the archive
	profile      []byte       // by which the compiler inlines, nil if there is none
	// unplanned, if not nil, returns the output in which the package gets every check, with
	// the failure as its reason.
	unplanned func(*unit.Failure) (*output, error)
	failure   *unit.Failure // nil, or why the package gets every check
}

// packagePath returns the import path as the go command knows it, without the test
// variant. The flag -p is no substitute: it is "main" for every command.
func packagePath(c *call) string {
	path, _, _ := strings.Cut(os.Getenv("TOOLEXEC_IMPORTPATH"), " ")
	if path == "" || c.set["p"] != "main" {
		path = c.set["p"]
	}
	return path
}

// write puts the output's new files beside the object file and returns the
// compiler's arguments.
func (o *output) write(c *call) (flags, files []string, err error) {
	dir, err := filepath.Abs(filepath.Join(filepath.Dir(c.set["o"]), "taskinstr"))
	if err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, nil, tempError(err)
	}
	used := make(map[string]bool)
	for i, s := range o.sources {
		if s.data == nil {
			files = append(files, s.orig)
			continue
		}
		// Base names stay, since the compiler treats files named _cgo_… specially. Two files
		// have the same base name only if they come from two folders.
		d := dir
		if used[s.name] {
			d = filepath.Join(dir, fmt.Sprint(i))
			if err := os.MkdirAll(d, 0o777); err != nil {
				return nil, nil, tempError(err)
			}
		}
		used[s.name] = true
		name := filepath.Join(d, s.name)
		if err := os.WriteFile(name, s.data, 0o666); err != nil {
			return nil, nil, tempError(err)
		}
		files = append(files, name)
	}
	flags = c.flags
	if o.checkptr {
		// In front, so that the user's -gcflags=-d=checkptr=0 has the last word. The compiler makes
		// an exception of the runtime's own packages.
		flags = append([]string{"-d=checkptr"}, flags...)
	}
	if flags, err = o.addProfile(dir, flags); err != nil {
		return nil, nil, err
	}
	if o.dropComplete {
		flags = dropFlag(flags, "complete")
	}
	if o.dropNoInline {
		flags = dropFlag(flags, "l")
	}
	if o.minLang != "" && langLess(c.set["lang"], o.minLang) {
		flags = replaceFlag(flags, "lang", o.minLang)
	}
	// The folder of new files is trimmed, so that the output does not depend on it.
	if rules, ok := c.set["trimpath"]; ok {
		flags = replaceFlag(flags, "trimpath", dir+";"+rules)
	} else {
		flags = append(slices.Clone(flags), "-trimpath", dir)
	}
	return flags, files, nil
}

func tempError(err error) error {
	return fmt.Errorf("cannot write instrumented source: %w; the go command's temporary folder (GOTMPDIR, else TMPDIR) must be writable and have space left", err)
}

// selectionPath returns the go command's description of the compiled package, with which
// the patterns of -pkgs are compared.
func selectionPath(c *call) string {
	if d := os.Getenv("TOOLEXEC_IMPORTPATH"); d != "" {
		return d
	}
	return c.set["p"]
}
