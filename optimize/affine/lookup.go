package affine

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"taskinstr/optimize/loop"
	"taskinstr/polyhedral"
)

// A lookup is an access with a subscript that depends on data: table[b], hist[x>>24],
// digits[v&15]. It keeps its check. It must not panic, which the type of the subscript and its
// operators tell: the values lie between two numbers, and the code in front of the nest tests
// that the table has as many elements.

// maxLookup bounds the tables of lookups, whose lengths the code in front of the nest tests.
const maxLookup = 1 << 16

// inRange reports whether the subscript of a lookup is below the length of its operand, or
// has the code in front of the nest test this.
func (n *nest) inRange(e *ast.IndexExpr, st state) bool {
	lo, hi, ok := n.between(e.Index)
	t := n.Info.TypeOf(e.X).Underlying()
	if p, isPtr := t.(*types.Pointer); isPtr {
		n.nonNil(e.X, st)
		t = p.Elem().Underlying()
	}
	if !ok || lo < 0 {
		return false
	}
	if a, isArray := t.(*types.Array); isArray {
		return hi < a.Len()
	}
	if hi >= maxLookup {
		return false
	}
	a, subs, ok := n.resolveAt(e.X, polyhedral.Const(hi))
	if ok {
		n.mustExist(location{array: a, subs: subs}, st)
	}
	return ok
}

// between returns numbers between which all values of integer e lie.
func (n *nest) between(e ast.Expr) (lo, hi int64, ok bool) {
	e = ast.Unparen(e)
	if c := n.Info.Type(e).Value; c != nil {
		k, exact := constant.Int64Val(constant.ToInt(c))
		return k, k, exact && c.Kind() == constant.Int
	}
	t := n.Info.TypeOf(e)
	typeLo, typeHi, typed := limits(t)
	// The operators below do not wrap as long as their result lies within the type.
	within := func(lo, hi int64, ok bool) (int64, int64, bool) {
		if ok && (!typed || typeLo <= lo && hi <= typeHi) && lo <= hi {
			return lo, hi, true
		}
		return typeLo, typeHi, typed
	}
	switch e := e.(type) {
	case *ast.Ident:
		if v, isVar := n.Info.Use(e).(*types.Var); isVar && n.Inside(v) {
			if d := n.Definition(v); d != nil && types.Identical(n.Info.TypeOf(d), v.Type()) {
				return within(n.between(d))
			}
		}
	case *ast.CallExpr:
		if n.Info.Type(e.Fun).IsType() && len(e.Args) == 1 && loop.IsInteger(n.Info.TypeOf(e.Args[0])) {
			return within(n.between(e.Args[0]))
		}
		if r := n.Result(e); r != nil {
			return within(n.between(r))
		}
	case *ast.BinaryExpr:
		a, b, okX := n.between(e.X)
		c, d, okY := n.between(e.Y)
		switch e.Op {
		case token.AND:
			// One operand that is not negative bounds the result.
			hi := int64(math.MaxInt64)
			if okX && a >= 0 {
				hi = b
			}
			if okY && c >= 0 {
				hi = min(hi, d)
			}
			return within(0, hi, okX && a >= 0 || okY && c >= 0)
		case token.OR, token.XOR:
			if okX && okY && a >= 0 && c >= 0 {
				return within(0, ones(b|d), true)
			}
		case token.SHR:
			if k, isConst := n.constantOf(e.Y); isConst && 0 <= k && k < 64 {
				if isUnsigned(t) && !okX && k > 0 {
					return within(0, math.MaxInt64>>(k-1), true)
				}
				if okX && a >= 0 {
					return within(a>>k, b>>k, true)
				}
			}
		case token.QUO:
			if k, isConst := n.constantOf(e.Y); isConst && k > 0 && okX && a >= 0 {
				return within(a/k, b/k, true)
			}
		case token.REM:
			if k, isConst := n.constantOf(e.Y); isConst && k > 0 && (isUnsigned(t) || okX && a >= 0) {
				return within(0, k-1, true)
			}
		case token.ADD, token.SUB:
			const most = 1 << 32
			if okX && okY && a >= -most && b <= most && c >= -most && d <= most {
				if e.Op == token.SUB {
					c, d = -d, -c
				}
				return within(a+c, b+d, true)
			}
		}
	}
	return typeLo, typeHi, typed
}

// ones returns the least number 2^k-1 that is not below x, for x >= 0.
func ones(x int64) int64 {
	y := int64(0)
	for y < x {
		y = 2*y + 1
	}
	return y
}

// limits returns the least and the greatest value of type t, if they are known and are
// numbers of 64 bits.
func limits(t types.Type) (lo, hi int64, ok bool) {
	switch kindOf(t) {
	case types.Uint8:
		return 0, math.MaxUint8, true
	case types.Uint16:
		return 0, math.MaxUint16, true
	case types.Uint32:
		return 0, math.MaxUint32, true
	case types.Int8:
		return math.MinInt8, math.MaxInt8, true
	case types.Int16:
		return math.MinInt16, math.MaxInt16, true
	case types.Int32:
		return math.MinInt32, math.MaxInt32, true
	}
	return 0, 0, false
}

// isUnsigned reports whether t is an unsigned integer type.
func isUnsigned(t types.Type) bool {
	return types.Typ[kindOf(t)].Info()&types.IsUnsigned != 0
}
