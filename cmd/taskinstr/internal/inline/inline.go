package inline

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"taskinstr/internal/site"
)

// A Package is a type-checked package.
type Package struct {
	Fset  *token.FileSet
	Files []*ast.File
	Path  string
	Types *types.Package
	Info  *types.Info
	Sizes types.Sizes
	// Copied reports whether the compiled package also has a copy of the function (splice.Borrower); may be nil.
	Copied func(*ast.FuncDecl) bool
}

// A Func is a function that a plain build inlines.
type Func struct {
	Cost  int   // the compiler's price of its body without checks
	Lines []int // of the calls in its body that are to be inlined as well
}

// Facts has the functions of packages that a plain build inlines, by the linker's name.
type Facts map[string]Func

type analysis struct {
	Package
	imports Facts
	bodies  map[*types.Func]*ast.FuncDecl
	done    map[*types.Func]int // prices; never while one is computed
	lines   map[*types.Func][]int
}

func newAnalysis(p Package, imports Facts) *analysis {
	a := &analysis{Package: p, imports: imports, bodies: map[*types.Func]*ast.FuncDecl{}, done: map[*types.Func]int{}, lines: map[*types.Func][]int{}}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && d.Name.Name != "_" {
				if fn, ok := p.Info.Defs[d.Name].(*types.Func); ok {
					a.bodies[fn] = d
				}
			}
		}
	}
	return a
}

// price returns the cost of a call of f beside its nodes.
func (a *analysis) price(f *types.Func) int {
	if intrinsic(f) {
		return 0
	}
	if f.Pkg() == a.Types {
		if p, ok := a.cost(f.Origin()); ok {
			return p
		}
		return callPrice
	}
	if fn, ok := a.imports[site.LinkName(f, f.Pkg().Path())]; ok {
		return fn.Cost
	}
	return callPrice
}

// cost returns the price of the body of a function of the package, and whether a plain build inlines it.
func (a *analysis) cost(f *types.Func) (int, bool) {
	if p, ok := a.done[f]; ok {
		return p, p <= budget
	}
	a.done[f] = never
	d := a.bodies[f]
	if d == nil {
		return never, false
	}
	p := never
	if !refused(d) {
		p = a.costOf(f.Signature(), d.Body)
	}
	a.done[f] = p
	return p, p <= budget
}

// refused reports whether a directive keeps the compiler from inlining the function.
func refused(d *ast.FuncDecl) bool {
	if d.Doc == nil {
		return false
	}
	for _, c := range d.Doc.List {
		switch word, _, _ := strings.Cut(c.Text, " "); word {
		case "//go:noinline", "//go:cgo_unsafe_args", "//go:uintptrkeepalive", "//go:uintptrescapes", "//go:yeswritebarrierrec", "//go:nocheckptr":
			return true
		}
	}
	return false
}

func hasTypeParams(f *types.Func) bool {
	s := f.Origin().Signature()
	return s.TypeParams().Len() > 0 || s.RecvTypeParams().Len() > 0
}

func (a *analysis) typeOf(e ast.Expr) types.Type {
	if e == nil {
		return nil
	}
	return a.Info.TypeOf(e)
}

func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

func elemOf(t types.Type) types.Type {
	switch t := under(t).(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	case *types.Chan:
		return t.Elem()
	}
	return nil
}

func fieldAt(t types.Type, index []int) types.Type {
	for _, i := range index {
		if p, ok := under(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		s, ok := under(t).(*types.Struct)
		if !ok {
			return t
		}
		t = s.Field(i).Type()
	}
	return t
}

func isString(t types.Type) bool {
	b, ok := under(t).(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// intrinsic reports whether the compiler replaces calls of f by instructions.
func intrinsic(f *types.Func) bool {
	if f.Pkg() == nil {
		return true
	}
	switch f.Pkg().Path() {
	case "math/bits":
		return true
	case "internal/byteorder", "encoding/binary":
		return cheap(f.Name())
	case "internal/abi":
		return f.Name() == "NoEscape"
	case "sync/atomic", "internal/runtime/atomic":
		return true // the methods are one such call each
	case "math":
		switch f.Name() {
		case "Sqrt", "Trunc", "Ceil", "Floor", "RoundToEven", "Abs", "Copysign", "FMA":
			return true
		}
	}
	return false
}

// cheap reports whether a function of that name reads or writes a number in one instruction.
func cheap(name string) bool {
	for _, p := range []string{"LE", "BE", "", "Put", "Append"} {
		if rest, ok := strings.CutPrefix(name, p); ok {
			rest = strings.TrimPrefix(strings.TrimPrefix(rest, "Put"), "Append")
			if rest == "Uint16" || rest == "Uint32" || rest == "Uint64" {
				return true
			}
		}
	}
	return false
}
