package dominate

import (
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"
)

// A safe holds addresses that can be computed and used without a panic, because that has
// happened before, and the indexes that are in range.
type safe struct {
	num    *numbering // strict
	have   map[int]bool
	length map[int]int64  // by slice: its length is at least this
	span   map[index]span // the indexes of one variable part that were in range
	below  map[index]int64
}

// An index is a variable part of indexes of a slice or array, by their numbers.
type index struct{ of, term int }

// A span has constant parts of indexes, from the least to the greatest. Two valid indexes
// include all indexes between them.
type span struct{ lo, hi int64 }

func newSafe(num *numbering) *safe {
	return &safe{num: num, have: map[int]bool{}, length: map[int]int64{}, span: map[index]span{}, below: map[index]int64{}}
}

func (k *safe) clone() *safe {
	return &safe{k.num, maps.Clone(k.have), maps.Clone(k.length), maps.Clone(k.span), maps.Clone(k.below)}
}

func (k *safe) has(v ssa.Value) bool { return k != nil && k.have[k.num.number(v)] }

func (k *safe) add(v ssa.Value) { k.have[k.num.number(v)] = true }

// used adds address v, which was used or can be used, and the addresses that it was
// computed from.
func (k *safe) used(v ssa.Value) {
	k.add(v)
	switch v := v.(type) {
	case *ssa.FieldAddr:
		k.used(v.X)
	case *ssa.IndexAddr:
		k.indexed(v)
		if _, ok := v.X.Type().Underlying().(*types.Pointer); ok {
			k.used(v.X)
		} else if u, ok := isLoad(v.X); ok {
			k.used(u.X)
		}
	case *ssa.UnOp:
		if _, ok := isLoad(v); ok {
			k.used(v.X)
		}
	}
}

// indexed notes that the index of v is in range.
func (k *safe) indexed(v *ssa.IndexAddr) {
	term, c := splitIndex(v.Index)
	of := k.num.number(v.X)
	if term == nil {
		k.longer(of, c+1)
		return
	}
	i := index{of, k.num.number(term)}
	if s, ok := k.span[i]; ok {
		k.span[i] = span{min(s.lo, c), max(s.hi, c)}
	} else {
		k.span[i] = span{c, c}
	}
}

// longer notes that a slice has at least n elements.
func (k *safe) longer(slice int, n int64) { k.length[slice] = max(k.length[slice], n) }

// inRange reports whether the index of v is in range.
func (k *safe) inRange(v *ssa.IndexAddr) bool {
	term, c := splitIndex(v.Index)
	n := leastLength(v.X)
	if k != nil {
		n = max(n, k.length[k.num.number(v.X)])
	}
	if term == nil {
		return 0 <= c && c < n
	}
	if k == nil {
		return false
	}
	i := index{k.num.number(v.X), k.num.number(term)}
	s, ok := k.span[i]
	if b, bounded := k.below[i]; ok && bounded {
		s.hi = max(s.hi, b)
	}
	return ok && s.lo <= c && c <= s.hi
}

// leastLength returns a number of elements that slice or array v certainly has.
func leastLength(v ssa.Value) int64 {
	if p, ok := v.Type().Underlying().(*types.Pointer); ok {
		if a, ok := p.Elem().Underlying().(*types.Array); ok {
			return a.Len()
		}
		return 0
	}
	switch v := v.(type) {
	case *ssa.MakeSlice:
		if n, ok := v.Len.(*ssa.Const); ok {
			return n.Int64()
		}
	case *ssa.Slice:
		term, lo := ssa.Value(nil), int64(0)
		if v.Low != nil {
			term, lo = splitIndex(v.Low)
		}
		if v.High == nil {
			if term == nil {
				return leastLength(v.X) - lo
			}
			return 0
		}
		// Both bounds are valid indexes, and the lower one is not greater.
		if end, hi := splitIndex(v.High); end == term {
			return hi - lo
		}
	case *ssa.ChangeType:
		return leastLength(v.X)
	}
	return 0
}

// holds notes the lengths that follow if condition c is true or false.
func (k *safe) holds(c ssa.Value, truth bool) {
	b, ok := c.(*ssa.BinOp)
	if !ok {
		if u, ok := c.(*ssa.UnOp); ok && u.Op == token.NOT {
			k.holds(u.X, !truth)
		}
		return
	}
	op, x, y := b.Op, b.X, b.Y
	if !truth {
		op = negated[op]
	}
	switch op {
	case token.GTR, token.GEQ: // make it less or less or equal
		op, x, y = swapped[op], y, x
	case token.EQL:
		k.less(x, y, 0)
		k.less(y, x, 0)
		return
	}
	switch op {
	case token.LSS:
		k.less(x, y, 1)
	case token.LEQ:
		k.less(x, y, 0)
	}
}

var (
	negated = map[token.Token]token.Token{token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS, token.NEQ: token.EQL}
	swapped = map[token.Token]token.Token{token.GTR: token.LSS, token.GEQ: token.LEQ}
)

// less notes that x+by is at most y, if y is the length of a slice but for a constant. An
// index is below the length only if it is also known not to be negative: inRange asks for
// a span.
func (k *safe) less(x, y ssa.Value, by int64) {
	if !word(x.Type()) {
		return
	}
	end, c := splitIndex(y)
	call, ok := end.(*ssa.Call)
	if !ok {
		return
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" {
		return
	}
	s := call.Call.Args[0]
	if _, ok := s.Type().Underlying().(*types.Slice); !ok {
		return
	}
	term, n := splitIndex(x)
	of := k.num.number(s)
	// x+by <= len(s)+c, hence the index term + n + by - c - 1 is below len(s).
	if term == nil {
		k.longer(of, n+by-c)
		return
	}
	i := index{of, k.num.number(term)}
	if m, ok := k.below[i]; !ok || n+by-c-1 > m {
		k.below[i] = n + by - c - 1
	}
}

// sliceable reports whether the slice expression does not panic.
func sliceable(v *ssa.Slice, k *safe) bool {
	if v.Max != nil {
		return false
	}
	n := leastLength(v.X)
	if _, ok := v.X.Type().Underlying().(*types.Pointer); ok {
		if !canUse(v.X, k) {
			return false
		}
	} else if k != nil {
		n = max(n, k.length[k.num.number(v.X)])
	}
	lo, hi, low := int64(0), n, v.Low == nil
	if v.Low != nil {
		var term ssa.Value
		term, lo = splitIndex(v.Low)
		low = term == nil
	}
	if v.High != nil {
		var term ssa.Value
		if term, hi = splitIndex(v.High); term != nil {
			return false
		}
	}
	return low && 0 <= lo && lo <= hi && hi <= n
}
