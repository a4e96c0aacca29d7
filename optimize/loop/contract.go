package loop

import (
	"go/ast"
	"go/types"
)

// A Contract says how functions of the standard library behave whose bodies or facts may be
// out of sight. Such a function neither orders tasks nor writes memory, and it returns unless
// its argument is too short.
type Contract struct {
	Func *types.Func
	// Loads is the number of bytes that the function reads from the start of its argument,
	// a slice. The function panics if the slice is shorter.
	Loads int64
}

// loads has the functions that read a number from a slice of bytes, by the end of their names.
var loads = map[string]int64{"Uint16": 2, "Uint32": 4, "Uint64": 8}

// divisions are the functions of math/bits that panic for some numbers.
var divisions = map[string]bool{"Div": true, "Div32": true, "Div64": true, "Rem": true, "Rem32": true, "Rem64": true}

// Contract returns the contract of the function that c calls, if it has one.
func (l *Loop) Contract(c *ast.CallExpr) (k Contract, ok bool) {
	f, isSelector := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !isSelector {
		return k, false
	}
	if sel := l.Info.Selection(f); sel != nil && (sel.Kind() != types.MethodVal || types.IsInterface(sel.Recv())) {
		return k, false
	}
	fn, isFunc := l.Info.Use(f.Sel).(*types.Func)
	if !isFunc || fn.Pkg() == nil {
		return k, false
	}
	k.Func = fn
	method := fn.Signature().Recv() != nil
	switch fn.Pkg().Path() {
	case "math":
		return k, !method
	case "math/bits":
		return k, !method && !divisions[fn.Name()]
	case "image":
		// Functions of points and rectangles, which are values.
		switch fn.Name() {
		case "Pt", "Rect":
			return k, !method
		case "In", "Dx", "Dy", "Size", "Empty", "Overlaps", "Intersect", "Eq":
			return k, method && !IsPointer(fn.Signature().Recv().Type())
		}
	case "image/color":
		switch fn.Name() {
		case "RGBToYCbCr", "YCbCrToRGB", "RGBToCMYK", "CMYKToRGB":
			return k, true
		}
	case "internal/byteorder":
		if name := fn.Name(); len(name) > 2 && (name[:2] == "LE" || name[:2] == "BE") && !method {
			k.Loads = loads[name[2:]]
		}
	case "encoding/binary":
		if method {
			k.Loads = loads[fn.Name()]
		}
	}
	return k, k.Loads > 0 && len(c.Args) == 1
}
