package event

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseCondition returns the expression of a condition. The text is in the prefix form of
// a package's site table (internal/splice writes it):
//
//	cond = "?"                     an unknown condition
//	     | "#" integer             a constant
//	     | "@" site ":" type       the value of the task's latest read at that site
//	     | "(" op cond ")"         op: ! - ^
//	     | "(" op cond cond ")"    op: == != < <= > >= && || + - * & | ^ &^
//
// A type is i, u or b (signed, unsigned, boolean) followed by a number of bytes. site
// maps a site number of the package to a place of the trace. The expression is nil if any
// part of the condition is unknown.
func ParseCondition(text string, site func(uint32) uint32) (Expr, error) {
	p := conditionParser{site: site}
	p.words = strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	x := p.parse()
	if p.err == nil && len(p.words) > 0 {
		p.err = fmt.Errorf("%q follows", p.words[0])
	}
	if p.err != nil {
		return nil, fmt.Errorf("condition %q: %w", text, p.err)
	}
	if p.unknown {
		return nil, nil
	}
	return x.expr, nil
}

type conditionParser struct {
	words   []string
	site    func(uint32) uint32
	unknown bool
	err     error
}

// typed is an expression with the type of its value. The letter of a constant is 0.
type typed struct {
	expr   Expr
	letter byte
	bytes  uint64
}

func (p *conditionParser) next() string {
	if len(p.words) == 0 {
		p.fail("it ends early")
		return ""
	}
	w := p.words[0]
	p.words = p.words[1:]
	return w
}

func (p *conditionParser) fail(format string, args ...any) typed {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	return typed{}
}

func (p *conditionParser) parse() typed {
	switch w := p.next(); {
	case p.err != nil:
		return typed{}
	case w == "?":
		p.unknown = true
		return typed{expr: Expr{{Op: Const}}}
	case w == "(":
		op := p.next()
		x := p.parse()
		if p.err == nil && len(p.words) > 0 && p.words[0] != ")" {
			x = p.binary(op, x, p.parse())
		} else {
			x = p.unary(op, x)
		}
		if w := p.next(); p.err == nil && w != ")" {
			return p.fail("%q in place of )", w)
		}
		return x
	case w[0] == '#':
		if v, err := strconv.ParseInt(w[1:], 10, 64); err == nil {
			return typed{expr: Expr{{Const, uint64(v)}}}
		}
		if v, err := strconv.ParseUint(w[1:], 10, 64); err == nil {
			return typed{expr: Expr{{Const, v}}}
		}
		return p.fail("%q is no integer of 64 bits", w)
	case w[0] == '@':
		return p.read(w)
	default:
		return p.fail("%q is no condition", w)
	}
}

func (p *conditionParser) read(w string) typed {
	number, t, _ := strings.Cut(w[1:], ":")
	id, err := strconv.ParseUint(number, 10, 32)
	if err != nil || len(t) != 2 || !strings.Contains("iub", t[:1]) || !strings.Contains("1248", t[1:]) {
		return p.fail("%q is no read: want @site:type", w)
	}
	x := typed{Expr{{ReadAt, uint64(p.site(uint32(id)))}}, t[0], uint64(t[1] - '0')}
	if x.letter == 'i' {
		return x.fit() // the value of a read is zero-extended
	}
	return x
}

// fit brings a value into the range of its type.
func (x typed) fit() typed {
	if x.letter == 0 || x.bytes == 8 {
		return x
	}
	op := ZeroExtend
	if x.letter == 'i' {
		op = SignExtend
	}
	x.expr = append(x.expr, Token{op, 8 * x.bytes})
	return x
}

func (p *conditionParser) unary(op string, x typed) typed {
	switch op {
	case "!":
		x.expr = append(x.expr, Token{Const, 0}, Token{Op: Eq})
		return x
	case "-":
		x.expr = append(append(Expr{{Const, 0}}, x.expr...), Token{Op: Sub})
		return x.fit()
	case "^":
		x.expr = append(x.expr, Token{Const, ^uint64(0)}, Token{Op: BitXor})
		return x.fit()
	}
	return p.fail("%q is no operator of one operand", op)
}

var (
	arithmetic = map[string]ExprOp{"+": Add, "-": Sub, "*": Mul, "&": BitAnd, "|": BitOr, "^": BitXor}
	comparison = map[string]ExprOp{"==": Eq, "!=": Ne, "<": Lt, "<=": Le, ">": Gt, ">=": Ge, "&&": BitAnd, "||": BitOr}
)

func (p *conditionParser) binary(op string, x, y typed) typed {
	r := x
	if x.letter == 0 {
		r.letter, r.bytes = y.letter, y.bytes
	}
	r.expr = append(append(Expr(nil), x.expr...), y.expr...)
	if op == "&^" {
		r.expr = append(r.expr, Token{Const, ^uint64(0)}, Token{Op: BitXor}, Token{Op: BitAnd})
		return r.fit()
	}
	if o, ok := arithmetic[op]; ok {
		r.expr = append(r.expr, Token{Op: o})
		return r.fit()
	}
	o, ok := comparison[op]
	if !ok {
		return p.fail("%q is no operator of two operands", op)
	}
	if r.letter == 'u' && o >= Lt {
		o += LtU - Lt
	}
	r.expr = append(r.expr, Token{Op: o})
	r.letter, r.bytes = 'b', 1
	return r
}
