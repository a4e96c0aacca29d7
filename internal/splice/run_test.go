package splice

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"taskinstr/internal/atomics"
	"taskinstr/internal/golist"
)

// recorder replaces the runtime's side of the contract. It prints each check to standard
// error as kind, size and expression.
const recorder = `
func _ti_record(n uintptr, kind uintptr, s *uint32) {
	if s == nil {
		println(string("RWaA"[kind&0xff]), n, "?")
		return
	}
	line, at := uint32(0), 0
	for i := 0; i < len(_ti_sites.blob); i++ {
		if _ti_sites.blob[i] != '\n' {
			continue
		}
		if line == *s {
			l := _ti_sites.blob[at:i]
			for k := 0; k < len(l); k++ {
				if l[k] == '\t' {
					l = l[k+1:]
					break
				}
			}
			for k := 0; k < len(l); k++ {
				if l[k] == '\t' {
					l = l[:k]
					break
				}
			}
			println(string("RWaA"[kind&0xff]), n, l)
			return
		}
		line, at = line+1, i+1
	}
}

func _ti_begin() *_ti_task {
	_ti_theTask.filter = &_ti_theFilter
	return &_ti_theTask
}
func _ti_enter() *_ti_task { return _ti_begin() }
func _ti_check(t *_ti_task, p unsafe.Pointer, n uintptr, kind uintptr, s *uint32) { _ti_record(n, kind, s) }
func _ti_checks(t *_ti_task, p unsafe.Pointer, n, stride, count, kind uintptr, s *uint32) {
	for ; count > 0; count-- {
		_ti_record(n, kind, s)
	}
}
func _ti_check1(p unsafe.Pointer, n uintptr, kind uintptr, s *uint32) { _ti_record(n, kind, s) }
func _ti_checkn(p unsafe.Pointer, n uintptr, kind uintptr, s *uint32) { _ti_record(n, kind, s) }
func _ti_atomic(p unsafe.Pointer, n uintptr, op uintptr, s *uint32) bool { println("atomic", op, n); return op == 2 }
func _ti_branch(s *uint32, taken uintptr) { print("branch ", taken, " "); _ti_record(0, 0, s) }
func _ti_maybe(p unsafe.Pointer, n, kind uintptr, s *uint32, a, b, c uintptr) {
	locks := 0
	for _, l := range []uintptr{a, b, c} {
		if l != 0 {
			locks++
		}
	}
	print("  other side, under ", locks, " more: ")
	_ti_record(n, kind, s)
}
`

// host replaces the linknamed declarations of a package's generated file by recorder.
func host(r *Result) {
	for _, n := range []string{"_ti_begin", "_ti_enter", "_ti_check", "_ti_checks", "_ti_check1", "_ti_checkn", "_ti_branch", "_ti_maybe"} {
		r.Generated = bytes.Replace(r.Generated, []byte(helperText(n, false, false)), nil, 1)
	}
	r.Generated = bytes.Replace(r.Generated, []byte(atomics.Event), nil, 1)
	r.Generated = bytes.Replace(r.Generated, []byte(atomics.Loading), []byte("\nvar _ti_scheduled bool\n\nfunc _ti_loading(p unsafe.Pointer, write bool) {}\n"), 1)
	r.Generated = append(r.Generated, recorder...)
	// The recorder's variables must not delay initializers either.
	const table = "; var _ti_sites"
	r.Files[0] = bytes.Replace(r.Files[0], []byte(table), []byte("; var _ti_theTask _ti_task; var _ti_theFilter [512]uint64"+table), 1)
}

// build compiles and links the main package in dir/main.go, below the language version lang, and
// returns the binary. With checks it rewrites the package first.
func (w *world) build(dir, lang string, checks bool) (string, *Result, error) {
	l := &golist.Package{ImportPath: "main", Name: "main", Dir: dir, GoFiles: []string{"main.go"}}
	files := []string{filepath.Join(dir, "main.go")}
	var res *Result
	if checks {
		if lang != "" {
			l.Module = &struct{ GoVersion string }{strings.TrimPrefix(lang, "go")}
		}
		c, err := w.check(l)
		if err != nil {
			return "", nil, err
		}
		c.Branches = w.branches
		if res, err = Package(c); err != nil {
			return "", nil, err
		}
		if res.Generated != nil {
			host(res)
		}
		if files, err = w.write(l, c, res); err != nil {
			return "", nil, err
		}
	}
	archive, err := w.compile(l, lang, files)
	if err != nil {
		return "", res, fmt.Errorf("compile: %w", err)
	}
	out, err := os.MkdirTemp(w.compiler.Tmp, "run")
	if err != nil {
		return "", nil, err
	}
	bin := filepath.Join(out, "main")
	if b, err := exec.Command("go", "tool", "link", "-importcfg", w.link, "-s", "-o", bin, archive).CombinedOutput(); err != nil {
		return "", res, fmt.Errorf("link: %w\n%s", err, b)
	}
	return bin, res, nil
}

// run runs a binary and returns its output and its exit code.
func run(bin, dir string, limit time.Duration) (stdout, stderr string, code int) {
	cmd := exec.Command(bin)
	cmd.Dir = dir
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Start(); err != nil {
		return "", err.Error(), -1
	}
	timer := time.AfterFunc(limit, func() { cmd.Process.Kill() })
	defer timer.Stop()
	cmd.Wait()
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

func diff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		var x, y string
		if i < len(w) {
			x = w[i]
		}
		if i < len(g) {
			y = g[i]
		}
		if x != y {
			return fmt.Sprintf("line %d:\n want %q\n got  %q", i+1, x, y)
		}
	}
	return ""
}
