package splice

import (
	"go/ast"
	"go/types"

	"taskinstr/internal/site"
)

// read wraps the read of place e in its check. The walk has visited the operands of e.
func (f *file) read(e ast.Expr) {
	if f.skip {
		return
	}
	if f.Storage(e) != site.Reachable {
		f.pkg.stats.Local++
		return
	}
	if f.Size(f.TypeOf(e)) == 0 {
		f.pkg.stats.ZeroSize++
		return
	}
	f.seq.pending++
	t := f.fate(e, false, false)
	if t.Omit {
		return
	}
	open, number := f.opening("_ti_r", t).of(f.TypeOf(e)), f.siteWith(e, t, f.What(e), site.Read)
	c := f.enclose(e, layerRead, ","+number+"))", text("(*"), open, text("&"))
	c.flag = t.tested()
	f.ahead(c, open, e, number)
	f.siteAt[e] = len(f.pkg.sites) - 1
	f.pkg.stats.Reads++
}

// address visits the operands of place e. The program does not read e itself here.
func (f *file) address(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
	case *ast.ParenExpr:
		f.address(e.X)
	case *ast.SelectorExpr:
		sel := f.Info.Selections[e]
		if sel == nil {
			return
		}
		if sel.Kind() != types.FieldVal {
			f.rvalue(e)
			return
		}
		path := sel.Index()
		f.path(e.X, sel.Recv(), path[:len(path)-1]).finish(f)
	case *ast.IndexExpr:
		switch t := site.Core(f.TypeOf(e.X)).(type) {
		case *types.Array:
			f.address(e.X)
		case *types.Map:
			f.rvalue(e.X)
			f.mapKey(e.Index, t)
			return
		default:
			f.rvalue(e.X)
		}
		f.rvalue(e.Index)
	case *ast.StarExpr:
		f.rvalue(e.X)
	default:
		f.rvalue(e)
	}
}

// A path is x.E1.E2..., an operand with the embedded fields that lead to a selected field
// or method. The program reads the embedded pointers on the way, and the source does not
// spell these reads.
type path struct {
	x       ast.Expr
	t       types.Type // the type of the place that the path has reached
	storage site.Storage
	open    []part // the text in front of x
	close   []part // the text behind x
	names   string // fields to select behind close
	all     string // all fields so far
	pointer bool   // x, close and names together are a pointer to the place
	hidden  bool   // this package cannot name a field on the way
}

// path visits x and follows the fields.
func (f *file) path(x ast.Expr, t types.Type, fields []int) *path {
	p := &path{x: x, t: t}
	if site.IsPointer(t) {
		f.rvalue(x)
		p.storage, p.t, p.pointer = site.Reachable, site.Elem(t), true
	} else {
		f.address(x)
		p.storage = f.Storage(x)
	}
	for _, i := range fields {
		st, ok := p.t.Underlying().(*types.Struct)
		if !ok {
			p.hidden = true
			return p
		}
		v := st.Field(i)
		if !v.Exported() && v.Pkg() != f.Pkg {
			p.hidden = true
		}
		p.names += "." + v.Name()
		p.all += "." + v.Name()
		p.t, p.pointer = v.Type(), false
		if !site.IsPointer(p.t) {
			continue
		}
		if p.storage == site.Reachable {
			p.read(f, v, "")
		}
		p.storage, p.t, p.pointer = site.Reachable, site.Elem(p.t), true
	}
	return p
}

// read wraps the path so far in the check of a read. v is the embedded field that the
// program reads, or nil: then star says whether it reads the place or the target of a
// pointer.
func (p *path) read(f *file, v *types.Var, star string) {
	if f.skip {
		return
	}
	if p.hidden {
		f.pkg.stats.Hidden++
		return
	}
	what := "value of type " + f.TypeName(p.t)
	if v != nil {
		what = "embedded field " + v.Name()
	}
	expr := star + f.TextOf(p.x) + p.all
	f.seq.pending++
	t := f.fateOf(p.x, expr, false, false)
	if t.Omit {
		return
	}
	p.open = append([]part{text("(*"), f.opening("_ti_r", t).of(p.t), text("&" + star)}, p.open...)
	p.close = append(p.close, text(p.names+","+f.siteOf(p.x, expr, what, site.Read)+"))"))
	f.stand(t)
	p.names = ""
	f.pkg.stats.Reads++
}

// value reads the place as a whole, as a method with a value receiver does. If spelled is
// set, the text of the operand becomes an expression for the place, with its embedded
// fields.
func (p *path) value(f *file, spelled bool) {
	switch {
	case p.storage != site.Reachable:
		f.pkg.stats.Local++
	case f.Size(p.t) == 0:
		f.pkg.stats.ZeroSize++
	case p.pointer:
		p.read(f, nil, "*")
	default:
		p.read(f, nil, "")
	}
	if spelled && p.names != "" {
		p.close = append(p.close, text(p.names))
		p.names = ""
	}
	p.finish(f)
}

// finish registers the edit, if the path has checks.
func (p *path) finish(f *file) {
	if len(p.open)+len(p.close) == 0 {
		return
	}
	a, b := f.Offset(p.x.Pos()), f.Offset(p.x.End())
	parts := append(append(p.open, source(a, b)), p.close...)
	f.add(a, b, layerPath, parts...)
}

// receiver visits the receiver of the method value or call x.M. It reports whether the new
// text of x is an expression of an interface type.
func (f *file) receiver(e *ast.SelectorExpr, sel *types.Selection) bool {
	m := sel.Obj().(*types.Func)
	fields := sel.Index()[:len(sel.Index())-1]
	t := sel.Recv()
	recv := m.Signature().Recv().Type()
	if site.IsTypeParam(site.Elem(t)) || len(fields) == 0 && types.IsInterface(t) {
		f.rvalue(e.X)
		return !site.IsTypeParam(site.Elem(t))
	}
	if len(fields) == 0 {
		switch {
		case site.IsPointer(recv) && site.IsPointer(t):
			f.rvalue(e.X)
		case site.IsPointer(recv):
			f.address(e.X)
		case site.IsPointer(t):
			f.path(e.X, t, nil).value(f, false)
		default:
			f.rvalue(e.X)
		}
		return false
	}
	p := f.path(e.X, t, fields)
	if site.IsPointer(recv) {
		p.finish(f) // an embedded pointer was read; the program takes the address of an embedded value
		return false
	}
	spelled := types.IsInterface(recv) && !p.hidden && !f.skip
	p.value(f, spelled)
	return spelled
}
