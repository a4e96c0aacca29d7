package step_test

import (
	"go/constant"
	"go/token"
	"go/types"
	"testing"

	"taskinstr/optimize/step"
)

func TestOperatorMayPanic(t *testing.T) {
	var (
		num   = types.Typ[types.Int]
		uns   = types.Typ[types.Uint]
		float = types.Typ[types.Float64]
		face  = types.NewInterfaceType(nil, nil)
		boxes = types.NewArray(types.NewStruct([]*types.Var{types.NewField(token.NoPos, nil, "x", face, false)}, nil), 2)
		slice = types.NewSlice(face)
		param = types.NewTypeParam(types.NewTypeName(token.NoPos, nil, "T", nil), face)
	)
	for _, c := range []struct {
		op   token.Token
		x, y types.Type
		k    constant.Value
		want bool
	}{
		{token.ADD, num, num, nil, false},
		{token.QUO, num, num, nil, true}, {token.QUO, num, num, constant.MakeInt64(0), true}, {token.QUO, num, num, constant.MakeInt64(2), false},
		{token.REM, num, num, nil, true}, {token.REM, num, num, constant.MakeInt64(-3), false},
		{token.QUO, float, float, nil, false}, {token.QUO, param, param, nil, true},
		{token.SHL, num, num, nil, true}, {token.SHR, num, uns, nil, false}, {token.SHL, num, num, constant.MakeInt64(1), false},
		{token.EQL, num, num, nil, false}, {token.NEQ, face, face, nil, true}, {token.EQL, boxes, boxes, nil, true}, {token.EQL, slice, slice, nil, false},
	} {
		if got := step.OperatorMayPanic(c.op, c.x, c.y, c.k); got != c.want {
			t.Errorf("%s %s %s (%v): may panic is %v", c.x, c.op, c.y, c.k, got)
		}
	}
}

// TestInterrupts: an instruction that separates steps interrupts them as well.
func TestInterrupts(t *testing.T) {
	if step.Separates&^step.Interrupts != 0 || step.Separates == step.Interrupts {
		t.Errorf("Separates is %#x, Interrupts is %#x", step.Separates, step.Interrupts)
	}
}
