package event

import (
	"fmt"
	"strings"
)

// An Expr derives a value from reads of the same task, in postfix order: each token takes
// its operands from a stack and pushes its result. Values are words of 64 bits, signed
// values in two's complement. A comparison gives 0 or 1, and a condition holds unless its
// value is 0. There is no division, so that an expression has a value for all results
// of its reads.
//
// An expression names a read by its Site, and refers to the latest Valued read there by
// the task that evaluates the expression. A recorder must therefore record every
// execution of a read that an expression names, before the branch or write with the
// expression.
type Expr []Token

// A Token is one operand or operator of an expression.
type Token struct {
	Op  ExprOp
	Arg uint64
}

// ExprOp is the operation of a token.
type ExprOp uint8

const (
	Const  ExprOp = iota // pushes Arg
	ReadAt               // pushes the value of the latest read at site Arg, zero-extended

	SignExtend // extends the lowest Arg bits of one operand, 1 to 64
	ZeroExtend

	Add // takes two operands, the left one pushed first
	Sub
	Mul
	BitAnd
	BitOr
	BitXor
	Eq
	Ne
	Lt // signed
	Le
	Gt
	Ge
	LtU // unsigned
	LeU
	GtU
	GeU

	exprOps
)

var exprNames = [exprOps]string{"const", "read", "sext", "zext", "+", "-", "*", "&", "|", "^",
	"==", "!=", "<", "<=", ">", ">=", "<u", "<=u", ">u", ">=u"}

func (o ExprOp) String() string {
	if o < exprOps {
		return exprNames[o]
	}
	return fmt.Sprintf("ExprOp(%d)", uint8(o))
}

// Operands returns the number of operands that the operator takes from the stack.
func (o ExprOp) Operands() int {
	switch {
	case o <= ReadAt:
		return 0
	case o <= ZeroExtend:
		return 1
	}
	return 2
}

func (t Token) String() string {
	switch {
	case t.Op == Const:
		return fmt.Sprint(int64(t.Arg))
	case t.Op < Add:
		return fmt.Sprintf("%v:%d", t.Op, t.Arg)
	}
	return t.Op.String()
}

func (x Expr) String() string {
	s := make([]string, len(x))
	for i, t := range x {
		s[i] = t.String()
	}
	return strings.Join(s, " ")
}

// Check returns an error unless x is the postfix form of one expression.
func (x Expr) Check() error {
	depth := 0
	for i, t := range x {
		n := t.Op.Operands()
		switch {
		case t.Op >= exprOps:
			return fmt.Errorf("expression %v: token %d has an unknown operator", x, i)
		case (t.Op == SignExtend || t.Op == ZeroExtend) && (t.Arg == 0 || t.Arg > 64):
			return fmt.Errorf("expression %v: token %d: %d is not a number of bits from 1 to 64", x, i, t.Arg)
		case depth < n:
			return fmt.Errorf("expression %v: token %d lacks operands", x, i)
		}
		depth += 1 - n
	}
	if depth != 1 {
		return fmt.Errorf("expression %v leaves %d values", x, depth)
	}
	return nil
}

// Eval returns the value of a well-formed expression. read returns the value of the
// latest read at a site; Eval fails if read does not know it.
func (x Expr) Eval(read func(site uint32) (uint64, bool)) (uint64, bool) {
	var stack []uint64
	for _, t := range x {
		switch n := len(stack); t.Op.Operands() {
		case 0:
			v, ok := t.Arg, true
			if t.Op == ReadAt {
				v, ok = read(uint32(t.Arg))
			}
			if !ok {
				return 0, false
			}
			stack = append(stack, v)
		case 1:
			stack[n-1] = extend(t, stack[n-1])
		case 2:
			stack[n-2] = binary(t.Op, stack[n-2], stack[n-1])
			stack = stack[:n-1]
		}
	}
	return stack[0], true
}

func extend(t Token, v uint64) uint64 {
	drop := 64 - t.Arg
	if t.Op == SignExtend {
		return uint64(int64(v<<drop) >> drop)
	}
	return v << drop >> drop
}

func binary(o ExprOp, a, b uint64) uint64 {
	is := false
	switch o {
	case Add:
		return a + b
	case Sub:
		return a - b
	case Mul:
		return a * b
	case BitAnd:
		return a & b
	case BitOr:
		return a | b
	case BitXor:
		return a ^ b
	case Eq:
		is = a == b
	case Ne:
		is = a != b
	case Lt:
		is = int64(a) < int64(b)
	case Le:
		is = int64(a) <= int64(b)
	case Gt:
		is = int64(a) > int64(b)
	case Ge:
		is = int64(a) >= int64(b)
	case LtU:
		is = a < b
	case LeU:
		is = a <= b
	case GtU:
		is = a > b
	case GeU:
		is = a >= b
	}
	if is {
		return 1
	}
	return 0
}
