package taskinstr

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// An arrow allows packages of one room to import packages of another.
type arrow struct {
	from, to string
	why      string
}

// rooms lists the rooms of the module, by the paths of their packages. A package is in the room of
// the longest path that it begins with.
var rooms = []string{
	"", "benchmarks", "cmd/internal", "cmd/taskinstr", "cmd/tilab",
	"detector/context", "detector/contract", "detector/event", "detector/mem", "detector/offline", "detector/oracle", "detector/parallel", "detector/race", "detector/schedule",
	"detector/serial", "detector/structure", "detector/theorem", "detector/trace", "examples",
	"internal", "internal/splice", "optimize", "polyhedral", "rt", "rt/task", "ssapass",
}

// arrows is the table of all imports from one room to another. There is no arrow from the product
// (cmd/taskinstr, and what it is made of) to the laboratory (cmd/tilab, benchmarks).
var arrows = []arrow{
	{"cmd/taskinstr", "cmd/internal", "the options, the go command and the terminal are those of both commands"},
	{"cmd/taskinstr", "internal", "sites of lint and of unit plans, and helpers of commands"},
	{"cmd/taskinstr", "internal/splice", "toolexec splices each package"},
	{"cmd/taskinstr", "optimize", "plans"},
	{"cmd/taskinstr", "ssapass", "programs for plans"},
	{"cmd/taskinstr", "rt", "toolexec rewrites the standard library"},
	{"cmd/taskinstr", "detector/event", "detect, explore and trace read executions"},
	{"cmd/taskinstr", "detector/trace", "executions are files"},
	{"cmd/taskinstr", "detector/structure", "trace draws the tree of tasks"},
	{"cmd/taskinstr", "detector/offline", "detect and explore judge executions"},
	{"cmd/taskinstr", "detector/schedule", "explore chooses orders of critical sections"},
	{"cmd/taskinstr", "", "the digest of the sources is a part of the compiler's identity"},

	{"cmd/tilab", "cmd/internal", "the go command, the options' values and the terminal"},
	{"cmd/tilab", "internal", "the audit compares sites"},
	{"cmd/tilab", "internal/splice", "the audit splices packages"},
	{"cmd/tilab", "benchmarks", "the table of programs of real modules"},
	{"cmd/tilab", "detector/schedule", "programs run in all orders"},

	{"cmd/internal", "internal", "words near to a mistyped one"},
	{"cmd/internal", "optimize", "the names of passes are values of an option"},
	{"cmd/internal", "rt", "the names of engines are values of an option"},
	{"cmd/internal", "detector/event", "an order is replayed for a race"},
	{"cmd/internal", "detector/trace", "the race is of a trace"},
	{"cmd/internal", "detector/offline", "a detector has judged the trace"},
	{"cmd/internal", "", "a test depends on all sources of the tool that it builds"},

	{"benchmarks", "detector/event", "models of programs are executions"},
	{"benchmarks", "detector/trace", "traces of programs are measured"},
	{"benchmarks", "detector/offline", "detectors are measured on both"},
	{"benchmarks", "optimize", "the tables measure each pass"},
	{"benchmarks", "internal", "the peak memory of a child process"},
	{"benchmarks", "rt/task", "programs of structured tasks"},
	{"examples", "rt/task", "programs of structured tasks"},

	{"optimize", "ssapass", "passes ask the analysis"},
	{"optimize", "polyhedral", "sets of the elements that loops access"},
	{"optimize", "internal", "fates are of sites"},
	{"optimize", "internal/splice", "the plan of a package is what splice carries out"},
	{"ssapass", "internal", "accesses that are sites"},
	{"internal/splice", "internal", "checks are at sites"},

	{"rt", "internal", "wrappers of atomic functions, as splice has them"},
	{"rt", "detector/context", "its sources are merged into the runtime"},
	{"rt", "detector/mem", "its sources are merged into the runtime"},
	{"rt", "detector/race", "its sources are merged into the runtime"},
	{"rt", "detector/parallel", "its sources are merged into the runtime"},
	{"rt", "detector/serial", "its sources are merged into the runtime, if they are chosen"},
	{"rt", "detector/schedule", "strategies choose the next goroutine in the runtime"},
	{"rt", "detector/theorem", "the verdict of a clean run names its theorem"},
	{"rt", "detector/trace", "the encoder of traces is merged into the runtime"},

	{"detector/event", "detector/theorem", "a detector says what its clean run proves"},
	{"detector/trace", "detector/event", "a trace holds events"},
	{"detector/structure", "detector/event", "the structure is made of events"},
	{"detector/structure", "detector/trace", "Go's events are those of a trace"},
	{"detector/context", "detector/mem", "contexts are elements of a table"},
	{"detector/race", "detector/mem", "reported pairs are in a table"},
	{"detector/parallel", "detector/mem", "the engine's tables"},
	{"detector/parallel", "detector/race", "it speaks of accesses and races in these words"},
	{"detector/parallel", "detector/context", "an access has a calling context"},
	{"detector/contract", "detector/race", "it speaks of accesses and races in these words"},
	{"detector/serial", "detector/mem", "the engines' tables"},
	{"detector/serial", "detector/race", "it speaks of accesses and races in these words"},
	{"detector/serial", "detector/context", "an access has a calling context"},
	{"detector/serial", "detector/event", "an engine's model is a detector on traces, too"},
	{"detector/serial", "detector/theorem", "a detector says what its clean run proves"},
	{"detector/oracle", "detector/parallel", "the oracle judges the engine"},
	{"detector/offline", "detector/event", "detectors read events"},
	{"detector/offline", "detector/trace", "detectors run on traces"},
	{"detector/offline", "detector/structure", "models of structured tasks need the tree"},
	{"detector/offline", "detector/theorem", "a detector says what its clean run proves"},
	{"detector/offline", "detector/parallel", "the table has the engine, run on traces"},
	{"detector/offline", "detector/serial", "the table has the bags, run on traces"},
	{"detector/offline", "detector/schedule", "Zipper explores orders of critical sections"},
}

// Packages import as the table of arrows allows, and each arrow is in use.
func TestArrows(t *testing.T) {
	used := map[arrow]bool{}
	allowed := map[[2]string]arrow{}
	for _, a := range arrows {
		if a.why == "" {
			t.Errorf("no reason for %s -> %s", a.from, a.to)
		}
		allowed[[2]string{a.from, a.to}] = a
	}
	for path, imports := range sources(t) {
		from := room(path)
		for _, i := range imports {
			to := room(i)
			if i != "taskinstr" && !strings.HasPrefix(i, "taskinstr/") || to == from {
				continue
			}
			a, ok := allowed[[2]string{from, to}]
			if !ok {
				t.Errorf("%s imports %s: no arrow %q -> %q", path, i, from, to)
			}
			used[a] = true
		}
	}
	for _, a := range arrows {
		if !used[a] {
			t.Errorf("the arrow %q -> %q is not used", a.from, a.to)
		}
	}
}

// A ban keeps packages out of the command taskinstr, with everything that only they import. The go
// command starts taskinstr for each file that it compiles, and a start runs the initializers of all
// packages that are linked.
type ban struct {
	path string // of a package, or of a folder with "/..." behind it
	why  string
}

// bans lists what is not linked into the command taskinstr. docs/design/dependencies.md has figures.
var bans = []ban{
	{"taskinstr/cmd/tilab/...", "the laboratory tests the product"},
	{"taskinstr/benchmarks/...", "the laboratory measures the product"},
	{"taskinstr/examples/...", "examples use the product"},
	{"gonum.org/v1/plot/...", "it reads its fonts at a start; taskinstr-show draws"},
	{"github.com/nats-io/...", "it is large and prepares itself at a start; taskinstr-farm speaks with the server"},
	{"github.com/chromedp/...", "tests look at pages with it"},
	{"net/http/...", "it is large and imports net; taskinstr-show serves pages"},
	{"net", "with cgo it makes the program a dynamically linked one; taskinstr-show serves pages"},
	{"os/user", "with cgo it makes the program a dynamically linked one; archive/tar imports it, archive/zip does not"},
	{"runtime/cgo", "the program is dynamically linked, and the dynamic linker makes each start longer"},
	{"image/...", "formats and palettes prepare themselves at a start; taskinstr-show draws"},
}

func (b ban) of(path string) bool {
	folder, ok := strings.CutSuffix(b.path, "/...")
	return path == folder || ok && strings.HasPrefix(path, folder+"/")
}

// The product contains nothing of the laboratory, and nothing that makes its starts long. Each banned
// package is a dependency of another package of the module, or of a test.
func TestBans(t *testing.T) {
	all := sources(t) // the go command caches this test's result until one of these files changes
	n := 0
	for _, path := range dependencies(t, "taskinstr/cmd/taskinstr") {
		if _, ours := all[path]; ours {
			n++
		}
		for _, b := range bans {
			if b.of(path) {
				t.Errorf("taskinstr contains %s: %s", path, b.why)
			}
		}
	}
	if n < 50 {
		t.Errorf("%d packages", n)
	}
	elsewhere := dependencies(t, "-test", "taskinstr/...")
	for _, b := range bans {
		if !slices.ContainsFunc(elsewhere, b.of) {
			t.Errorf("%s is banned, and is no dependency of this module", b.path)
		}
	}
}

// dependencies returns the packages that a command of the given packages links where cgo is on.
func dependencies(t *testing.T, packages ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-deps"}, packages...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// room returns the room of a package of this module.
func room(path string) string {
	best := ""
	for _, r := range rooms {
		if len(r) > len(best) && strings.HasPrefix(path+"/", "taskinstr/"+r+"/") {
			best = r
		}
	}
	return best
}

// sources returns the imports of each package of the module, without those of tests, by path.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	for _, name := range goFiles(t) {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		p := path.Join("taskinstr", filepath.ToSlash(filepath.Dir(name)))
		if imports[p] == nil {
			imports[p] = []string{}
		}
		for _, i := range f.Imports {
			if v, err := strconv.Unquote(i.Path.Value); err == nil {
				imports[p] = append(imports[p], v)
			}
		}
	}
	return imports
}

// goFiles returns the names of the module's Go files, without test files.
func goFiles(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || name != "." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
