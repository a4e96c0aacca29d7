package site

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
)

// A Source is one type-checked package.
type Source struct {
	Fset  *token.FileSet
	Files []*ast.File // parsed with comments
	Src   [][]byte    // the text of each file
	Path  string      // import path
	Pkg   *types.Package
	// Info must hold Types, Defs, Uses, Implicits, Selections and Instances;
	// FileVersions where known.
	Info      *types.Info
	GoVersion string // language version of the package, such as "go1.25"; may be empty
}

// A Package is a Source with the facts that decide which of its accesses are sites:
// its variables, and whether its initializers run alone.
type Package struct {
	Source
	std      types.Sizes
	sizes    map[types.Type]int64
	vars     map[*types.Var]*Variable
	changes  map[*types.Var]bool // package-level variables that something may assign to
	computed map[*types.Var]bool // package-level variables whose initial value needs code
	initial  bool                // package-level initializers run before there are other tasks
	files    []*File
}

// A File is one file of a package with its text.
type File struct {
	*Package
	Syntax *ast.File
	Token  *token.File
	Text   []byte
	// PerIteration: each iteration has its own loop variables (Go 1.22).
	PerIteration bool
	directives   []directive // nil until Position asks for them
}

// New finds the facts of a package. An error says which text does not belong to its
// syntax tree.
func New(s Source) (*Package, error) {
	if len(s.Files) != len(s.Src) {
		return nil, fmt.Errorf("%s: %d files but %d texts", s.Path, len(s.Files), len(s.Src))
	}
	p := &Package{
		Source:   s,
		std:      types.SizesFor("gc", "amd64"), // all 64-bit targets agree
		sizes:    map[types.Type]int64{},
		vars:     map[*types.Var]*Variable{},
		changes:  map[*types.Var]bool{},
		computed: map[*types.Var]bool{},
	}
	for i, a := range s.Files {
		f := &File{Package: p, Syntax: a, Token: s.Fset.File(a.FileStart), Text: s.Src[i], PerIteration: p.perIteration(a)}
		if f.Token.Size() != len(f.Text) {
			return nil, fmt.Errorf("%s: the text of %s does not match its syntax tree", s.Path, f.Token.Name())
		}
		p.scanVars(a, f.PerIteration)
		p.linked(a)
		p.initialValues(a)
		p.files = append(p.files, f)
	}
	p.initial = p.alone()
	return p, nil
}

// FilesOf returns the files of the package, in the order of Source.Files.
func (p *Package) FilesOf() []*File { return p.files }

// InitialAlone reports whether the package-level initializers run before there are
// other tasks.
func (p *Package) InitialAlone() bool { return p.initial }

// perIteration reports whether each iteration of a loop in a has its own variables.
func (p *Package) perIteration(a *ast.File) bool {
	v := p.GoVersion
	if fv := p.Info.FileVersions[a]; fv != "" {
		v = fv
	}
	return !version.IsValid(v) || version.Compare(v, "go1.22") >= 0
}

// Shadows returns how many of the predeclared names the package declares itself.
// Generated code cannot use these names.
func (p *Package) Shadows(names ...string) int {
	n := 0
	for _, name := range names {
		if p.Pkg.Scope().Lookup(name) != nil {
			n++
		}
	}
	return n
}

// Offset returns the offset of a position in the file's text.
func (f *File) Offset(p token.Pos) int { return f.Token.Offset(p) }

// TextOf returns the source text of n.
func (f *File) TextOf(n ast.Node) string { return string(f.Text[f.Offset(n.Pos()):f.Offset(n.End())]) }
