package ssapass

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/site"
)

// A Config selects the program to load.
type Config struct {
	Dir      string   // the directory of the patterns; "" is the current directory
	Env      []string // environment of the go command; nil selects the environment of the process
	Flags    []string // build flags, such as -tags=x or -mod=vendor
	Patterns []string // packages, in the syntax of go build
	Tests    bool     // also load the tests; each test binary is an entry of its own
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
}

// A source is one file of the program, with the packages that compile it. There are
// several if a package has test variants.
type source struct {
	pkgs  []*packages.Package
	files []*ast.File
	text  []byte
}

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedModule

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

// Load loads the packages that match the patterns and everything they import, builds
// their SSA, and finds the functions that may run.
func Load(c Config) (prog *Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			prog, err = nil, fmt.Errorf("load %s: internal error: %v", strings.Join(c.Patterns, " "), r)
		}
	}()
	fset := token.NewFileSet()
	var mu sync.Mutex
	texts := map[string][]byte{}
	parse := func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
		mu.Lock()
		texts[name] = src
		mu.Unlock()
		return parser.ParseFile(fset, name, src, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
	}
	initial, err := packages.Load(&packages.Config{
		Mode: loadMode, Dir: c.Dir, Env: c.Env, BuildFlags: c.Flags, Tests: c.Tests, Fset: fset, ParseFile: parse,
	}, c.Patterns...)
	if err != nil {
		return nil, &LoadError{[]string{fmt.Sprintf("load %s: %v", strings.Join(c.Patterns, " "), err)}}
	}
	if len(initial) == 0 {
		return nil, fmt.Errorf("load %s: no packages match", strings.Join(c.Patterns, " "))
	}
	p := &Program{Fset: fset, Initial: initial, sources: map[string]*source{}}
	var failed LoadError
	packages.Visit(initial, nil, func(pkg *packages.Package) {
		for _, e := range pkg.Errors {
			failed.Messages = append(failed.Messages, e.Error())
		}
	})
	if len(failed.Messages) > 0 {
		return nil, &failed
	}
	linked := roots(initial, c.Tests)
	packages.Visit(linked, nil, func(pkg *packages.Package) { p.Packages = append(p.Packages, pkg) })
	if err := p.build(linked, texts); err != nil {
		return nil, err
	}
	p.link()
	p.Reach = p.reach()
	p.resolve()
	return p, nil
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

// build builds the SSA of all packages. Packages of the runtime need declarations only,
// since a table has the effects of their functions.
func (p *Program) build(linked []*packages.Package, texts map[string][]byte) error {
	p.SSA = ssa.NewProgram(p.Fset, ssa.InstantiateGenerics|ssa.GlobalDebug)
	for _, pkg := range p.Packages {
		if pkg.Types == nil || pkg.IllTyped {
			return errors.New("load: package " + pkg.ID + " has no types")
		}
		files, info := pkg.Syntax, pkg.TypesInfo
		if opaque(pkg.PkgPath) {
			files, info = nil, nil
		}
		s := p.SSA.CreatePackage(pkg.Types, files, info, true)
		if pkg.Name == "main" && slices.Contains(linked, pkg) {
			p.Mains = append(p.Mains, s)
		}
		for i, f := range files {
			name := pkg.CompiledGoFiles[i]
			src := p.sources[name]
			if src == nil {
				src = &source{text: texts[name]}
				p.sources[name] = src
			}
			src.pkgs, src.files = append(src.pkgs, pkg), append(src.files, f)
		}
	}
	p.SSA.Build()
	return nil
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
