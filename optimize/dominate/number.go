package dominate

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A numbering gives values of one function the same number if they are computed alike
// from the same values: the fields and elements that addresses select, and the arithmetic
// of indexes. Loads of one address have one number, too, though memory may change between
// them. A caller that compares loads has to ask about that.
type numbering struct {
	of   map[ssa.Value]int
	keys map[numberKey]int
	next int
	// strict: each load has a number of its own, so that equal numbers are equal values.
	strict bool
}

// A numberKey is the computation of a value: the operation, and the numbers of the
// operands.
type numberKey struct {
	op   string
	a, b int
	t    types.Type
	text string
}

func newNumbering(strict bool) *numbering {
	return &numbering{of: map[ssa.Value]int{}, keys: map[numberKey]int{}, strict: strict}
}

// number returns the number of v.
func (n *numbering) number(v ssa.Value) int {
	if k, ok := n.of[v]; ok {
		return k
	}
	key, ok := n.key(v, n.number)
	if ok {
		if k, ok := n.keys[key]; ok {
			n.of[v] = k
			return k
		}
	}
	n.next++
	n.of[v] = n.next
	if ok {
		n.keys[key] = n.next
	}
	return n.next
}

// key returns the computation of v; ok is false if the value depends on anything else.
// The function number gives the numbers of the operands.
func (n *numbering) key(v ssa.Value, number func(ssa.Value) int) (k numberKey, ok bool) {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return k, false
		}
		return numberKey{op: "const", t: v.Type(), text: v.Value.ExactString()}, true
	case *ssa.FieldAddr:
		return numberKey{op: "fieldaddr", a: number(v.X), b: v.Field}, true
	case *ssa.Field:
		return numberKey{op: "field", a: number(v.X), b: v.Field}, true
	case *ssa.IndexAddr:
		return numberKey{op: "indexaddr", a: number(v.X), b: number(v.Index)}, true
	case *ssa.UnOp:
		if v.Op == token.ARROW || v.Op == token.MUL && n.strict {
			return k, false
		}
		return numberKey{op: v.Op.String(), a: number(v.X), t: v.Type()}, true
	case *ssa.BinOp:
		return numberKey{op: v.Op.String(), a: number(v.X), b: number(v.Y), t: v.Type()}, true
	case *ssa.ChangeType:
		return numberKey{op: "type", a: number(v.X), t: v.Type()}, true
	case *ssa.Convert:
		if !basicNumber(v.Type()) || !basicNumber(v.X.Type()) {
			return k, false
		}
		return numberKey{op: "convert", a: number(v.X), t: v.Type()}, true
	case *ssa.Call:
		b, builtin := v.Call.Value.(*ssa.Builtin)
		if !builtin || b.Name() != "len" {
			return k, false
		}
		switch v.Call.Args[0].Type().Underlying().(type) {
		case *types.Slice, *types.Basic:
			return numberKey{op: "len", a: number(v.Call.Args[0])}, true
		}
	}
	return k, false
}

// keyed reports whether v has a key.
func keyed(v ssa.Value) bool {
	_, ok := new(numbering).key(v, func(ssa.Value) int { return 0 })
	return ok
}

func basicNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// operands returns the operands of v, if v is keyed. Values of one number have them in
// the same order.
func operands(v ssa.Value) []ssa.Value {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return []ssa.Value{v.X}
	case *ssa.Field:
		return []ssa.Value{v.X}
	case *ssa.IndexAddr:
		return []ssa.Value{v.X, v.Index}
	case *ssa.UnOp:
		return []ssa.Value{v.X}
	case *ssa.BinOp:
		return []ssa.Value{v.X, v.Y}
	case *ssa.ChangeType:
		return []ssa.Value{v.X}
	case *ssa.Convert:
		return []ssa.Value{v.X}
	case *ssa.Call:
		return v.Call.Args[:1]
	}
	return nil
}

// isLoad reports whether v is read from memory.
func isLoad(v ssa.Value) (*ssa.UnOp, bool) {
	u, ok := v.(*ssa.UnOp)
	return u, ok && u.Op == token.MUL
}
