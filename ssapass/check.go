package ssapass

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/pace"
)

// A loader type-checks packages and builds their SSA. It does both in one pass over the
// packages, dependencies first, so that it can free the syntax of a package that only its
// SSA needs before it reads the next packages.
type loader struct {
	p      *Program
	lean   bool
	linked []*packages.Package // roots of the program
	main   map[string]bool     // IDs of the packages that match the patterns
	pruned map[string][]bodyText

	cpu chan struct{} // a token for each processor

	mu    sync.Mutex
	files map[string]*parsed // several packages may compile a file

	bare    map[token.Pos]bodyName // names of functions whose bodies are left out
	generic []freed                // what freeGeneric has to free
}

// A parsed is the result of parsing one file.
type parsed struct {
	once sync.Once
	file *ast.File
	text []byte
	err  error
}

// ahead is the number of packages that may be type-checked before their SSA is built.
const ahead = 12

func newLoader(p *Program, linked []*packages.Package, lean bool) *loader {
	l := &loader{
		p: p, lean: lean, linked: linked, main: map[string]bool{}, cpu: make(chan struct{}, runtime.GOMAXPROCS(0)),
		files: map[string]*parsed{}, bare: map[token.Pos]bodyName{},
	}
	for _, pkg := range p.Initial {
		l.main[pkg.ID] = true
	}
	return l
}

// whole reports whether all functions of the package are loaded.
func (l *loader) whole(pkg *packages.Package) bool {
	return !l.lean || l.main[pkg.ID] || pkg.Module != nil && pkg.Module.Main || strings.HasSuffix(pkg.ID, "]")
}

// sited reports whether the analysis looks for sites in the package.
func (l *loader) sited(pkg *packages.Package) bool {
	return l.whole(pkg) || pkg.Module != nil
}

// run loads all packages.
func (l *loader) run(forced map[bodyName]bool) error {
	p := l.p
	list := p.Packages
	if !l.lean {
		list = nil // packages that no binary has may be listed, too
		packages.Visit(p.Initial, nil, func(pkg *packages.Package) { list = append(list, pkg) })
	}
	if l.lean {
		r := newPruner(p.Packages, l.whole, forced)
		if err := r.run(); err != nil {
			return fmt.Errorf("load: %w", err)
		}
		l.pruned = r.byFile
	}
	p.SSA = ssa.NewProgram(p.Fset, ssa.InstantiateGenerics)
	inProgram := map[*packages.Package]bool{}
	for _, pkg := range p.Packages {
		inProgram[pkg] = true
	}
	var failed LoadError
	c := l.checkAhead(list)
	for _, pkg := range list {
		<-c.done[pkg]
		failed.add(pkg)
		if len(failed.Messages) == 0 && len(c.panics) == 0 && inProgram[pkg] {
			if err := l.build(pkg); err != nil {
				failed.Messages = append(failed.Messages, err.Error())
			}
			pace.Step()
		}
		<-c.tokens
	}
	if len(c.panics) > 0 {
		panic(<-c.panics)
	}
	if len(failed.Messages) > 0 {
		return &failed
	}
	return nil
}

// checks are type checks that run.
type checks struct {
	done   map[*packages.Package]chan struct{}
	panics chan any
	tokens chan struct{} // one for each package that is checked, or is done and has not been taken
}

// checkAhead checks packages, each after its imports and no more than some ahead of the caller.
func (l *loader) checkAhead(list []*packages.Package) *checks {
	c := &checks{map[*packages.Package]chan struct{}{}, make(chan any, len(list)), make(chan struct{}, ahead)}
	for _, pkg := range list {
		c.done[pkg] = make(chan struct{})
	}
	go func() {
		for _, pkg := range list {
			c.tokens <- struct{}{}
			go func() {
				defer close(c.done[pkg])
				defer func() {
					if r := recover(); r != nil {
						c.panics <- r
					}
				}()
				for _, i := range pkg.Imports {
					<-c.done[i]
				}
				l.cpu <- struct{}{}
				l.check(pkg)
				<-l.cpu
			}()
		}
	}()
	return c
}

// add adds the errors of a package.
func (e *LoadError) add(pkg *packages.Package) {
	for _, err := range pkg.Errors {
		e.Messages = append(e.Messages, err.Error())
	}
}

// parse parses a file, once for all packages that compile it.
func (l *loader) parse(name string) *parsed {
	l.mu.Lock()
	f := l.files[name]
	if f == nil {
		f = new(parsed)
		l.files[name] = f
	}
	l.mu.Unlock()
	f.once.Do(func() {
		if f.text, f.err = os.ReadFile(name); f.err == nil {
			f.file, f.err = parser.ParseFile(l.p.Fset, name, without(f.text, l.pruned[name]), parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
		}
	})
	return f
}

// Bytes of text for each expression, and for each use of an identifier, in a typical package.
// They only decide how much room the tables of a package have in the beginning.
const (
	textPerExpr = 16
	textPerUse  = 28
)

// check parses and type-checks a package.
func (l *loader) check(pkg *packages.Package) {
	pkg.Fset = l.p.Fset
	if pkg.PkgPath == "unsafe" {
		pkg.Types, pkg.TypesInfo = types.Unsafe, NewInfo(0)
		return
	}
	pkg.Types, pkg.Syntax = types.NewPackage(pkg.PkgPath, pkg.Name), nil
	size := 0
	for _, name := range pkg.CompiledGoFiles {
		f := l.parse(name)
		size += len(f.text)
		for _, b := range l.pruned[name] {
			size -= b.end - b.start
		}
		if f.err != nil {
			pkg.Errors = append(pkg.Errors, parseErrors(f.err)...)
		}
		if f.file != nil {
			pkg.Syntax = append(pkg.Syntax, f.file)
		}
	}
	shortened := slices.ContainsFunc(pkg.CompiledGoFiles, func(name string) bool { return len(l.pruned[name]) > 0 })
	c := &types.Config{
		Importer:         importerOf(pkg),
		IgnoreFuncBodies: l.lean && opaque(pkg.PkgPath),
		Sizes:            pkg.TypesSizes,
		Error: func(err error) {
			e, ok := err.(types.Error)
			if !ok {
				pkg.Errors = append(pkg.Errors, packages.Error{Pos: "-", Msg: err.Error(), Kind: packages.TypeError})
				return
			}
			if shortened && e.Soft && strings.HasSuffix(e.Msg, " and not used") {
				return // a body that is left out uses it
			}
			pkg.Errors = append(pkg.Errors, packages.Error{Pos: e.Fset.Position(e.Pos).String(), Msg: e.Msg, Kind: packages.TypeError})
		},
	}
	if c.IgnoreFuncBodies {
		size = 0
	}
	pkg.TypesInfo = NewInfo(size)
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		c.GoVersion = "go" + pkg.Module.GoVersion
	}
	err := types.NewChecker(c, l.p.Fset, pkg.Types, pkg.TypesInfo).Files(pkg.Syntax)
	if err != nil && len(pkg.Errors) == 0 && !shortened {
		pkg.Errors = append(pkg.Errors, packages.Error{Pos: "-", Msg: err.Error(), Kind: packages.TypeError})
	}
	pkg.IllTyped = len(pkg.Errors) > 0
}

// parseErrors returns the errors of a file that cannot be read or parsed.
func parseErrors(err error) (out []packages.Error) {
	var list scanner.ErrorList
	var path *os.PathError
	switch {
	case errors.As(err, &list):
		for _, e := range list {
			out = append(out, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
		}
	case errors.As(err, &path):
		out = append(out, packages.Error{Pos: path.Path + ":1", Msg: path.Err.Error(), Kind: packages.ParseError})
	default:
		out = append(out, packages.Error{Pos: "-", Msg: err.Error(), Kind: packages.ParseError})
	}
	return out
}

type importedTypes func(path string) (*types.Package, error)

func (f importedTypes) Import(path string) (*types.Package, error) { return f(path) }

// importerOf returns the importer of a package, whose imports are type-checked.
func importerOf(pkg *packages.Package) types.Importer {
	return importedTypes(func(path string) (*types.Package, error) {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		if i := pkg.Imports[path]; i != nil && i.Types != nil {
			return i.Types, nil
		}
		return nil, fmt.Errorf("go list names no package for the import of %s; a file may have changed meanwhile", path)
	})
}

// NewInfo returns the tables that the analysis needs, with room for a package whose Go files have
// size bytes.
func NewInfo(size int) *types.Info {
	return &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue, size/textPerExpr), Defs: map[*ast.Ident]types.Object{}, Uses: make(map[*ast.Ident]types.Object, size/textPerUse),
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
}

// build builds the SSA of a package. Packages of the runtime need declarations only, since
// a table has the effects of their functions.
func (l *loader) build(pkg *packages.Package) error {
	if pkg.Types == nil || pkg.IllTyped {
		return errors.New("load: package " + pkg.ID + " has no types")
	}
	p := l.p
	files, info := pkg.Syntax, pkg.TypesInfo
	if opaque(pkg.PkgPath) {
		files, info = nil, nil
	}
	s := p.SSA.CreatePackage(pkg.Types, files, info, true)
	s.SetDebugMode(l.sited(pkg))
	if pkg.Name == "main" && slices.Contains(l.linked, pkg) {
		p.Mains = append(p.Mains, s)
	}
	restore := func() {}
	if l.lean && files != nil {
		restore = shorten(files, info)
	}
	s.Build()
	restore()
	if l.lean && l.sited(pkg) {
		eachDeclared(s, dropDebug)
	}
	if !l.sited(pkg) {
		l.free(pkg)
		return nil
	}
	for i, f := range files {
		name := pkg.CompiledGoFiles[i]
		src := p.sources[name]
		if src == nil {
			src = &source{text: l.parse(name).text}
			p.sources[name] = src
		}
		src.pkgs, src.files = append(src.pkgs, pkg), append(src.files, f)
	}
	l.note(pkg)
	return nil
}
