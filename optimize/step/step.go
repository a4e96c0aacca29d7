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

// MayPanic reports whether the instruction may panic, or not go on at all. Addresses for which
// usable is true can be read and written without a panic. Instructions that compute addresses
// or slices, and calls of functions, are not known here.
func MayPanic(in ssa.Instruction, usable func(addr ssa.Value) bool) (may, known bool) {
	switch in := in.(type) {
	case *ssa.Alloc, *ssa.Phi, *ssa.If, *ssa.Jump, *ssa.DebugRef, *ssa.Extract, *ssa.Field,
		*ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.Convert, *ssa.MakeClosure:
		return false, true
	case *ssa.BinOp:
		return BinOpMayPanic(in), true
	case *ssa.UnOp:
		return in.Op == token.ARROW || in.Op == token.MUL && !usable(in.X), true
	case *ssa.Store:
		return !usable(in.Addr), true
	case *ssa.TypeAssert:
		return !in.CommaOk, true
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		return ok && !completes[b.Name()], ok
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Index, *ssa.Slice:
		return true, false
	}
	return true, true
}

// completes has the builtin functions that do not panic.
var completes = map[string]bool{
	"len": true, "cap": true, "min": true, "max": true, "real": true, "imag": true, "complex": true, "append": true, "copy": true,
}

// BinOpMayPanic is OperatorMayPanic for an instruction. A comparison with nil completes.
func BinOpMayPanic(in *ssa.BinOp) bool {
	var k constant.Value
	if c, ok := in.Y.(*ssa.Const); ok {
		if k = c.Value; c.IsNil() {
			return false
		}
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
