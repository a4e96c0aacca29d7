package taskinstr

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
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
	"detector/contract", "detector/event", "detector/offline", "detector/oracle", "detector/parallel", "detector/schedule",
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

	{"rt", "detector/parallel", "its sources are merged into the runtime"},
	{"rt", "detector/serial", "its sources are merged into the runtime, if they are chosen"},
	{"rt", "detector/schedule", "strategies choose the next goroutine in the runtime"},
	{"rt", "detector/theorem", "the verdict of a clean run names its theorem"},
	{"rt", "detector/trace", "the encoder of traces is merged into the runtime"},

	{"detector/event", "detector/theorem", "a detector says what its clean run proves"},
	{"detector/trace", "detector/event", "a trace holds events"},
	{"detector/structure", "detector/event", "the structure is made of events"},
	{"detector/structure", "detector/trace", "Go's events are those of a trace"},
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

// The product contains nothing of the laboratory.
func TestProductWithoutLaboratory(t *testing.T) {
	all := sources(t) // the go command caches this test's result until one of these files changes
	out, err := exec.Command("go", "list", "-deps", "taskinstr/cmd/taskinstr").Output()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range strings.Fields(string(out)) {
		if _, ours := all[path]; ours {
			n++
		}
		switch room(path) {
		case "cmd/tilab", "benchmarks", "examples":
			t.Errorf("taskinstr contains %s", path)
		}
	}
	if n < 50 {
		t.Errorf("%d packages", n)
	}
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
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || name != "." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
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
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}
