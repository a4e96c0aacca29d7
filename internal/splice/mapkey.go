package splice

import (
	"go/ast"
	"go/types"

	"taskinstr/internal/site"
)

// mapValueLimit is the size of map elements above which the compiler passes keys of every
// type by address (cmd/compile/internal/walk, mapfast).
const mapValueLimit = 128

// mapKey visits the key of a map operation. If the runtime gets the key by address, its
// hook reports the read of the key. So a key with a check is passed as a copy.
func (f *file) mapKey(e ast.Expr, m *types.Map) {
	f.rvalue(e)
	if f.skip || f.Storage(e) != site.Reachable || f.byValue(m) {
		return
	}
	f.pkg.helpers["_ti_v"] = true
	f.enclose(e, layerWrap, ")", text("_ti_v("))
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
