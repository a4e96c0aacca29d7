package loop

import (
	"go/ast"
	"go/types"
	"strings"

	"taskinstr/internal/splice"
)

// A Contract says how functions of the standard library behave whose bodies or facts may be
// out of sight. Such a function orders no tasks, writes no memory but what Stores says, and
// returns unless its first argument is too short.
type Contract struct {
	Func *types.Func
	// Loads and Stores are the numbers of bytes that the function reads or writes from the
	// start of its first argument, a slice. The function panics if the slice is shorter.
	Loads, Stores int64
	// Accessor names the copy of the function that makes no checks (splice.Call), "" if
	// there is none. The function itself makes checks of exactly these bytes.
	Accessor string
}

// Bytes returns the number of bytes of its first argument that the function accesses.
func (k *Contract) Bytes() int64 { return k.Loads + k.Stores }

// numbers has the functions that read a number from a slice of bytes, or write it there, by
// the end of their names.
var numbers = map[string]int64{"Uint16": 2, "Uint32": 4, "Uint64": 8}

// divisions are the functions of math/bits that panic for some numbers.
var divisions = map[string]bool{"Div": true, "Div32": true, "Div64": true, "Rem": true, "Rem32": true, "Rem64": true}

// Contract returns the contract of the function that c calls, if it has one.
func (i *Info) Contract(c *ast.CallExpr) (k Contract, ok bool) {
	f, isSelector := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !isSelector {
		return k, false
	}
	if sel := i.Selection(f); sel != nil && (sel.Kind() != types.MethodVal || types.IsInterface(sel.Recv())) {
		return k, false
	}
	fn, isFunc := i.Use(f.Sel).(*types.Func)
	if !isFunc || fn.Pkg() == nil {
		return k, false
	}
	k, ok = ContractOf(fn)
	if k.Bytes() == 0 {
		return k, ok
	}
	if operands := fn.Signature().Params().Len(); len(c.Args) != operands {
		return Contract{}, false // the operands are the results of one call
	}
	if fn.Pkg().Path() == "encoding/binary" {
		k.Accessor = i.accessor(f, fn)
	}
	return k, true
}

// ContractOf returns the contract of a function, if it has one.
func ContractOf(fn *types.Func) (k Contract, ok bool) {
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
			k.Loads = numbers[name[2:]]
		}
	case "encoding/binary":
		if put, isPut := strings.CutPrefix(fn.Name(), "Put"); method && isPut {
			k.Stores = numbers[put]
		} else if method {
			k.Loads = numbers[fn.Name()]
		}
	}
	return k, k.Bytes() > 0
}

// accessor returns the name of the copy of method fn, which f selects of binary.LittleEndian
// or binary.BigEndian; "" if f selects it of another expression.
func (i *Info) accessor(f *ast.SelectorExpr, fn *types.Func) string {
	x, ok := ast.Unparen(f.X).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	v, ok := i.Use(x.Sel).(*types.Var)
	if !ok || v.Pkg() != fn.Pkg() || v.IsField() {
		return ""
	}
	return splice.Accessor(v.Name(), fn.Name())
}
