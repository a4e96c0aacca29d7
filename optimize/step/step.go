// Package step says which instructions and operators keep a check from covering another
// access: those that may end the step (the run of a task between two of its events), and
// those that may panic.
package step

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass"
)

// Separates has the bits of instructions that may order this task before another one, or
// change the locks that it holds. Accesses on both sides of such an instruction may
// differ in the tasks that they race with.
const Separates = ssapass.MayRelease | ssapass.MaySpawn | ssapass.MayLock | ssapass.CallsUnseen

// Interrupts has the bits of Separates, and of instructions that may order another
// task before this one, or that may not let control go on, other than by a panic.
const Interrupts = Separates | ssapass.MayAcquire | ssapass.MayBlock | ssapass.MayGoexit | ssapass.MayExit

// OperatorMayPanic reports whether the binary operator may panic, for a left operand of
// type x and a right operand of type y. The constant is the value of the right operand,
// nil if that is not constant.
func OperatorMayPanic(op token.Token, x, y types.Type, k constant.Value) bool {
	switch op {
	case token.QUO, token.REM:
		if b, ok := x.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger == 0 {
			return false
		}
		return k == nil || constant.Sign(k) == 0
	case token.SHL, token.SHR:
		b, ok := y.Underlying().(*types.Basic)
		return k == nil && (!ok || b.Info()&types.IsUnsigned == 0)
	case token.EQL, token.NEQ:
		return ComparisonMayPanic(x)
	}
	return false
}

// BinOpMayPanic is OperatorMayPanic for an instruction.
func BinOpMayPanic(in *ssa.BinOp) bool {
	var k constant.Value
	if c, ok := in.Y.(*ssa.Const); ok {
		k = c.Value
	}
	return OperatorMayPanic(in.Op, in.X.Type(), in.Y.Type(), k)
}

// ComparisonMayPanic reports whether == of two values of type t may panic, because
// interfaces in them hold values that cannot be compared.
func ComparisonMayPanic(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return ComparisonMayPanic(t.Elem())
	case *types.Struct:
		for i := range t.NumFields() {
			if ComparisonMayPanic(t.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}
