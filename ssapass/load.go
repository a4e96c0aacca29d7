package ssapass

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/pace"
	"taskinstr/internal/site"
)

// A Config selects the program to load.
type Config struct {
	Dir      string   // the directory of the patterns; "" is the current directory
	Env      []string // environment of the go command; nil selects the environment of the process
	Flags    []string // build flags, such as -tags=x or -mod=vendor
	Patterns []string // packages, in the syntax of go build
	Tests    bool     // also load the tests; each test binary is an entry of its own

	// Lean saves time and memory where only the plan of a build is wanted. The standard
	// library has no sites, syntax trees and types of expressions then. In packages outside
	// of the main module and the patterns, functions that cannot run have no bodies. Tables
	// of constants have one element of each shape (see shorten), functions that sort have one
	// statement (see standIns), and the SSA has no descriptions of the source (see dropDebug).
	Lean bool

	// Phase, if not nil, is called at the beginning of each phase of Load and Analyze.
	Phase func(name string)
}

// A Program has the SSA of all packages that the patterns build, the functions that may
// run, and their calls.
type Program struct {
	Fset     *token.FileSet
	SSA      *ssa.Program
	Packages []*packages.Package // all packages, dependencies first
	Initial  []*packages.Package // the packages that match the patterns, and their tests
	Mains    []*ssa.Package      // main packages, one for each binary

	*Reach                                         // functions that may run
	calls  map[ssa.CallInstruction][]*ssa.Function // callees of dynamic calls, by variable type analysis
	links
	sources map[string]*source // by file name
	unit    *unit              // not nil if the program is one package
	kept    kept
	phase   func(name string) // Config.Phase
}

// begin tells Config.Phase that a phase begins.
func (p *Program) begin(name string) {
	pace.Step() // a phase leaves garbage behind
	if p.phase != nil {
		p.phase(name)
	}
}

// A source is one file of the program, with the packages that compile it. There are
// several if a package has test variants.
type source struct {
	pkgs  []*packages.Package
	files []*ast.File
	text  []byte
}

const listMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedDeps | packages.NeedTypesSizes | packages.NeedModule

// A LoadError lists the errors of packages that do not compile. Each message has its
// position.
type LoadError struct{ Messages []string }

func (e *LoadError) Error() string {
	const shown = 10
	m := e.Messages
	if len(m) > shown {
		m = append(slices.Clone(m[:shown]), fmt.Sprintf("and %d more", len(e.Messages)-shown))
	}
	return strings.Join(m, "\n")
}

// A Listing has the packages of a program, without their syntax and types.
type Listing struct {
	Initial []*packages.Package // the packages that match the patterns, and their tests
	Linked  []*packages.Package // those that are linked together with their imports
	All     []*packages.Package // Linked with all imports, dependencies first
}

// List lists the packages that match the patterns and everything they import. Packages that
// the go command cannot list are a *LoadError.
func List(c Config) (*Listing, error) {
	(&Program{phase: c.Phase}).begin("load")
	initial, err := packages.Load(&packages.Config{Mode: listMode, Dir: c.Dir, Env: c.Env, BuildFlags: c.Flags, Tests: c.Tests}, c.Patterns...)
	if err != nil {
		return nil, &LoadError{[]string{fmt.Sprintf("load %s: %v", strings.Join(c.Patterns, " "), err)}}
	}
	if len(initial) == 0 {
		return nil, fmt.Errorf("load %s: no packages match", strings.Join(c.Patterns, " "))
	}
	var failed LoadError
	packages.Visit(initial, nil, func(pkg *packages.Package) { failed.add(pkg) })
	if len(failed.Messages) > 0 {
		return nil, &failed
	}
	l := &Listing{Initial: initial, Linked: roots(initial, c.Tests)}
	packages.Visit(l.Linked, nil, func(pkg *packages.Package) { l.All = append(l.All, pkg) })
	return l, nil
}

// Load loads the packages that match the patterns and everything they import, builds
// their SSA, and finds the functions that may run.
func Load(c Config) (*Program, error) {
	list, err := List(c)
	if err != nil {
		return nil, err
	}
	return LoadListed(c, list)
}

// LoadListed is Load with the result of List(c).
func LoadListed(c Config, list *Listing) (prog *Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			prog, err = nil, fmt.Errorf("load %s: internal error: %v", strings.Join(c.Patterns, " "), r)
		}
	}()
	forced := map[bodyName]bool{}
	for {
		p := &Program{phase: c.Phase, Fset: token.NewFileSet(), Packages: list.All, Initial: list.Initial, sources: map[string]*source{}}
		p.kept = kept{comments: map[*packages.Package][]*ast.Comment{}, literals: map[token.Pos]bool{}}
		l := newLoader(p, list.Linked, c.Lean)
		if err := l.run(forced); err != nil {
			return nil, err
		}
		p.link()
		p.begin("reach")
		p.Reach = p.reach()
		if l.lacks(forced) {
			p.begin("load again")
			continue
		}
		l.freeUnreachable()
		p.begin("resolve")
		p.resolve()
		l.freeGeneric()
		return p, nil
	}
}

// roots returns the packages that are linked together with their imports. With tests
// these are the test binaries: they contain the test variant of a package instead of
// the package.
func roots(initial []*packages.Package, tests bool) (list []*packages.Package) {
	for _, pkg := range initial {
		if tests && pkg.Name == "main" && strings.HasSuffix(pkg.ID, ".test") {
			list = append(list, pkg)
		}
	}
	if len(list) == 0 {
		return initial
	}
	return list
}

// opaque reports whether the package belongs to the runtime. The analysis uses the
// contracts of such functions instead of their bodies.
func opaque(path string) bool {
	return path == "runtime" || strings.HasPrefix(path, "internal/runtime/") || path == "runtime/race"
}

// Instrumented reports whether accesses of the package get checks.
func Instrumented(path string) bool {
	_, skip := site.Skip(path)
	return !skip
}

// Functions returns the functions that may run, in a fixed order.
func (p *Program) Functions() []*ssa.Function { return p.funcs }

// Callees returns the functions that the call may run, as far as the call graph has
// them. Reach.Unknown returns the callees of an operand that comes from external code.
func (p *Program) Callees(c ssa.CallInstruction) []*ssa.Function {
	if f := c.Common().StaticCallee(); f != nil {
		return []*ssa.Function{f}
	}
	return p.calls[c]
}

// fileNames returns the names of all files, sorted.
func (p *Program) fileNames() []string { return slices.Sorted(maps.Keys(p.sources)) }

// Text returns the analysed text of the file, and whether the file belongs to the
// program.
func (p *Program) Text(file string) (text []byte, ok bool) {
	if src := p.sources[file]; src != nil {
		return src.text, true
	}
	return nil, false
}

// Source returns a package of the program in the form of package site.
func (p *Program) Source(pkg *packages.Package) site.Source {
	s := site.Source{Fset: p.Fset, Files: pkg.Syntax, Path: pkg.PkgPath, Pkg: pkg.Types, Info: pkg.TypesInfo}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		s.GoVersion = "go" + pkg.Module.GoVersion
	}
	for _, f := range pkg.Syntax {
		text, _ := p.Text(p.Fset.File(f.FileStart).Name())
		s.Src = append(s.Src, text)
	}
	return s
}
