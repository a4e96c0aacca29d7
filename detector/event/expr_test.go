package event

import "testing"

func TestExpr(t *testing.T) {
	reads := map[uint32]uint64{1: 7, 2: 0xfe}
	for _, c := range []struct {
		x    Expr
		want uint64
	}{
		{Expr{{Const, 5}}, 5},
		{Expr{{ReadAt, 1}, {Const, 7}, {Eq, 0}}, 1},
		{Expr{{ReadAt, 1}, {Const, 7}, {Ne, 0}}, 0},
		{Expr{{ReadAt, 2}, {SignExtend, 8}, {Const, 0}, {Lt, 0}}, 1},
		{Expr{{ReadAt, 2}, {SignExtend, 8}, {Const, 0}, {LtU, 0}}, 0},
		{Expr{{ReadAt, 2}, {ReadAt, 1}, {Sub, 0}, {ZeroExtend, 4}}, (0xfe - 7) & 0xf},
		{Expr{{ReadAt, 1}, {Const, 3}, {Mul, 0}, {Const, 1}, {Add, 0}}, 22},
		{Expr{{Const, 1}, {Const, 2}, {Ge, 0}}, 0},
		{Expr{{Const, 6}, {Const, 3}, {BitXor, 0}, {Const, 5}, {BitAnd, 0}, {Const, 8}, {BitOr, 0}}, 13},
	} {
		if err := c.x.Check(); err != nil {
			t.Error(err)
		}
		got, ok := c.x.Eval(func(s uint32) (uint64, bool) { v, ok := reads[s]; return v, ok })
		if !ok || got != c.want {
			t.Errorf("%v: %d, want %d", c.x, got, c.want)
		}
	}
	if _, ok := (Expr{{ReadAt, 3}}).Eval(func(uint32) (uint64, bool) { return 0, false }); ok {
		t.Error("an unknown read has a value")
	}
	for _, x := range []Expr{nil, {{Add, 0}}, {{Const, 1}, {Const, 2}}, {{Const, 1}, {SignExtend, 0}}, {{exprOps, 0}}} {
		if x.Check() == nil {
			t.Errorf("%v is well formed", x)
		}
	}
}
