package splice

import (
	"go/ast"
	"go/types"

	"taskinstr/internal/site"
)

// mapValueLimit is the size of map elements above which the compiler hands
// keys of every type over by address (cmd/compile/internal/walk, mapfast).
const mapValueLimit = 128

// mapKey visits the key of a map operation. The runtime's hook reports the read
// of a key that it is given by address; so of one that has been checked here it
// gets a copy.
func (f *file) mapKey(e ast.Expr, m *types.Map) {
	f.rvalue(e)
	if f.skip || f.Storage(e) != site.Reachable || f.byValue(m) {
		return
	}
	f.pkg.helpers["_ti_v"] = true
	a, b := f.offset(e.Pos()), f.offset(e.End())
	f.add(a, b, layerWrap, text("_ti_v("), source(a, b), text(")"))
}

// byValue reports whether the operations on m take keys by value.
func (f *file) byValue(m *types.Map) bool {
	if n := f.Size(m.Elem()); n < 0 || n > mapValueLimit {
		return false
	}
	switch k := m.Key().Underlying().(type) {
	case *types.Pointer, *types.Chan:
		return true
	case *types.Basic:
		n := f.Size(k)
		return k.Info()&types.IsString != 0 || k.Info()&types.IsInteger != 0 && (n == 4 || n == 8) || k.Kind() == types.UnsafePointer
	}
	return false
}
