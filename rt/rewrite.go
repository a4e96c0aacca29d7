package rt

import (
	"bytes"
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed files
var files embed.FS

// A Target is the toolchain and the platform of a build, with its options.
type Target struct {
	GoVersion string // of the toolchain in use, such as go1.26.8
	GOOS      string
	GOARCH    string
	RaceTag   bool   // the build tag race is set
	Detector  string // "" or one of Detectors
}

// A File is one file of a compilation.
type File struct {
	Orig string // the file that it replaces, "" for an added one
	Name string // base name
	Data []byte // its text; nil if Orig is unchanged
}

// Rewrite returns the files that replace files (the .go arguments of the compile call) in the
// compilation of package pkg, a std package or taskinstr/rt/task. If rt changes nothing, ok
// is false. If dropComplete is true, the rewritten package has functions without bodies, so
// the compiler's flag -complete no longer holds. A patch that applies more or less often than
// its row says is an error that names the patch and the Go version.
func Rewrite(t Target, pkg string, files []string) (out []File, dropComplete, ok bool, err error) {
	switch pkg {
	case "runtime":
		out, err = rewriteRuntime(t, files)
		return out, false, true, err
	case "internal/race":
		out, err = replace(t, pkg, files, raceFile(t, "norace.go", "race.go"), "files/race/race.go")
		return out, true, true, err
	case "sync/atomic":
		out, err = rewriteAtomics(files, os.ReadFile)
		return out, true, true, err
	}
	if ok, err := isTask(pkg, files); err != nil {
		return nil, false, true, err
	} else if ok {
		out, err = replace(t, pkg, files, taskEvents, "files/task/events.go")
		return out, true, true, err
	}
	if !slices.ContainsFunc(patches, func(p patch) bool { return p.pkg == pkg }) {
		return nil, false, false, nil
	}
	if out, err = patched(t, pkg, files); err == nil {
		out, err = withOwn(out, pkg)
	}
	return out, false, true, err
}

// own lists, for patched packages other than runtime, the files that join the package.
var own = map[string][]string{
	"crypto/internal/sysrand":   {"linked/linked.go"},
	"fmt":                       {"linked/linked.go", "fmt/printer.go"},
	"internal/poll":             {"linked/linked.go", "poll/mutex.go"},
	"log":                       {"linked/linked.go", "log/buffer.go"},
	"log/slog":                  {"linked/linked.go"},
	"log/slog/internal/buffer":  {"linked/linked.go", "slog/buffer.go"},
	"net":                       {"linked/linked.go", "net/address.go"},
	"os":                        {"linked/linked.go"},
	"syscall":                   {"linked/linked.go"},
	"testing":                   {"linked/linked.go", "testing/limit.go", "testing/tests.go"},
	"testing/internal/testdeps": {"linked/linked.go"},
}

// withOwn adds the files that join pkg.
func withOwn(out []File, pkg string) ([]File, error) {
	for _, name := range own[pkg] {
		text, err := files.ReadFile("files/" + name)
		if err != nil {
			return nil, err
		}
		text = bytes.Replace(text, []byte("\npackage linked"), []byte("\npackage "+path.Base(pkg)), 1)
		out = append(out, File{Name: "taskinstr_" + path.Base(name), Data: lineFirst("taskinstr/rt/"+name, text)})
	}
	return out, nil
}

func raceFile(t Target, norace, race string) string {
	if t.RaceTag {
		return race
	}
	return norace
}

// patched returns files with the patches of pkg applied. Every patch of the
// package must have found its file.
func patched(t Target, pkg string, names []string) ([]File, error) {
	need := map[string]bool{}
	for _, p := range patches {
		if p.pkg == pkg && compiled(p.file, t.GOOS) {
			need[p.file] = true
		}
	}
	var out []File
	for _, name := range names {
		f := File{Orig: name, Name: filepath.Base(name)}
		if file := uncovered(f.Name); need[file] {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			text, changed, err := applyPatches(t.GoVersion, pkg, file, text)
			if err != nil {
				return nil, err
			}
			if changed {
				f.Data = lineFirst(name, text)
			}
			delete(need, file)
		}
		out = append(out, f)
	}
	for name := range need {
		return nil, fmt.Errorf("taskinstr does not know this Go: %s: %s has no file %s to patch; use a Go that `taskinstr version` lists", t.GoVersion, pkg, name)
	}
	return out, nil
}

// uncovered returns the name of the file that the cover tool rewrote as name, or name.
func uncovered(name string) string { return strings.Replace(name, ".cover.go", ".go", 1) }

// replace puts the embedded file with into the place of the file old.
func replace(t Target, pkg string, names []string, old, with string) ([]File, error) {
	var out []File
	for _, name := range names {
		out = append(out, File{Orig: name, Name: filepath.Base(name)})
	}
	return out, replaceIn(t, pkg, out, old, with)
}

// replaceIn does so in a list of files.
func replaceIn(t Target, pkg string, list []File, old, with string) error {
	i := slices.IndexFunc(list, func(f File) bool { return uncovered(f.Name) == old })
	if i < 0 {
		return fmt.Errorf("taskinstr does not know this Go: %s: %s has no file %s to replace; use a Go that `taskinstr version` lists", t.GoVersion, pkg, old)
	}
	text, err := files.ReadFile(with)
	list[i].Data = lineFirst(list[i].Orig, text)
	return err
}

func rewriteRuntime(t Target, names []string) ([]File, error) {
	out, err := patched(t, "runtime", names)
	if err != nil {
		return nil, err
	}
	if err := replaceIn(t, "runtime", out, raceFile(t, "race0.go", "race.go"), "files/runtime/"+hooksFile); err != nil {
		return nil, err
	}
	e, ok := engines[t.Detector]
	if !ok {
		return nil, fmt.Errorf("there is no detector %q", t.Detector)
	}
	engine, err := e.merged()
	if err != nil {
		return nil, err
	}
	out = append(out, engine...)
	for _, folder := range append([]string{"files/runtime"}, e.paths()...) {
		joined, err := ownFiles(t, folder)
		if err != nil {
			return nil, err
		}
		out = append(out, joined...)
	}
	return out, nil
}

// hooksFile replaces a file of Go's and does not join it.
const hooksFile = "hooks.go"

// ownFiles returns the files of a folder that join package runtime.
func ownFiles(t Target, folder string) ([]File, error) {
	own, err := fs.ReadDir(files, folder)
	if err != nil {
		return nil, err
	}
	var out []File
	for _, e := range own {
		name := e.Name()
		if name == hooksFile || !forTarget(t, name) {
			continue
		}
		text, err := files.ReadFile(path.Join(folder, name))
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(t.GoVersion, "go1.25") {
			text = bytes.Replace(text, []byte(`"internal/runtime/syscall/linux"`), []byte(`"internal/runtime/syscall"`), 1) // its place there
		}
		out = append(out, File{Name: "taskinstr_" + name, Data: lineFirst("taskinstr/rt/"+name, text)})
	}
	return out, nil
}

// forTarget applies the suffixes of file names: _unix (all but Windows), _GOOS,
// _racetag.
func forTarget(t Target, name string) bool {
	base := strings.TrimSuffix(name, ".go")
	i := strings.LastIndexByte(base, '_')
	if i < 0 {
		return true
	}
	switch suffix := base[i+1:]; suffix {
	case "unix":
		return t.GOOS != "windows"
	case "racetag":
		return t.RaceTag
	default:
		return suffix == t.GOOS
	}
}

// lineFirst gives positions in text the file name of Go's own file.
func lineFirst(name string, text []byte) []byte {
	return append([]byte("//line "+name+":1:1\n"), text...)
}

// A Key is an option of an instrumented program.
type Key struct {
	Name string
	Text string // a line of help, or the reason why the option has no effect
	// The variables that have it.
	Taskinstr, Gorace bool
	Idle              bool // an option of Go's race detector without effect here
}

// Keys returns the keys of the environment variables TASKINSTR and GORACE, in the order of
// the runtime's tables.
func Keys() []Key {
	var keys []Key
	for _, row := range rows("options.go", "tr_optKeys") {
		name, gorace, text := row[0], row[1], row[2]
		keys = append(keys, Key{Name: name, Text: text, Taskinstr: gorace != "only", Gorace: gorace != ""})
	}
	for _, row := range rows("gorace.go", "tr_goraceIdle") {
		for name := range strings.FieldsSeq(row[1]) {
			keys = append(keys, Key{Name: name, Text: row[0], Gorace: true, Idle: true})
		}
	}
	return keys
}

// rows returns the rows of a table of the runtime, whose fields are all constant strings.
func rows(file, table string) (list [][]string) {
	text, err := files.ReadFile("files/runtime/" + file)
	if err != nil {
		return nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
	if err != nil {
		return nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Names[0].Name != table {
			return true
		}
		for _, row := range spec.Values[0].(*ast.CompositeLit).Elts {
			var fields []string
			for _, field := range row.(*ast.CompositeLit).Elts {
				fields = append(fields, constantString(field))
			}
			list = append(list, fields)
		}
		return false
	})
	return list
}

// constantString returns the value of a sum of string literals.
func constantString(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.BasicLit:
		s, _ := strconv.Unquote(x.Value)
		return s
	case *ast.BinaryExpr:
		return constantString(x.X) + constantString(x.Y)
	}
	return ""
}
