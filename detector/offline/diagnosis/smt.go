package diagnosis

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"taskinstr/detector/event"
)

// Z3 decides problems with the program z3, over SMT-LIB text.
type Z3 struct {
	Path    string
	Timeout time.Duration // of a question; 0: defaultTimeout
}

const defaultTimeout = 30 * time.Second

// ErrNoZ3 says that z3 is not installed.
var ErrNoZ3 = errors.New("the program z3 is not on the path; install it (Debian: apt-get install z3) or use the solver that is built in")

// FindZ3 looks z3 up on the path.
func FindZ3() (Z3, error) {
	path, err := exec.LookPath("z3")
	if err != nil {
		return Z3{}, ErrNoZ3
	}
	return Z3{Path: path}, nil
}

func (z Z3) Solve(p *Problem) Answer {
	if p.reach == nil {
		return Answer{Verdict: Infeasible}
	}
	for _, lenient := range []bool{false, true} {
		order, sat, err := z.run(p, lenient)
		switch {
		case err != nil:
			return Answer{Why: err.Error()}
		case sat:
			return p.answer(order, lenient)
		}
	}
	return Answer{Verdict: Infeasible}
}

func (z Z3) run(p *Problem, lenient bool) (order []int, sat bool, err error) {
	limit := z.Timeout
	if limit == 0 {
		limit = defaultTimeout
	}
	c := exec.Command(z.Path, "-in", "-smt2", fmt.Sprintf("-T:%d", max(1, int(limit.Seconds()))))
	c.Stdin = strings.NewReader(p.SMT(lenient))
	out, err := c.Output()
	verdict, rest, _ := bytes.Cut(out, []byte("\n"))
	switch string(bytes.TrimSpace(verdict)) {
	case "sat":
		order, err := p.parseOrder(string(rest))
		return order, true, err
	case "unsat":
		return nil, false, nil // get-value after it is an error, and so is z3's exit code
	}
	if err == nil {
		err = errors.New("no verdict")
	}
	return nil, false, fmt.Errorf("%s: %w: %s", z.Path, err, bytes.TrimSpace(out))
}

// parseOrder reads the values of the order variables: ((o0 3) (o1 (- 2)) ...).
func (p *Problem) parseOrder(s string) ([]int, error) {
	s = strings.NewReplacer("(", " ", ")", " ", "- ", "-").Replace(s)
	words := strings.Fields(s)
	at := make([]int, len(p.nodes))
	for i := 0; i+1 < len(words); i += 2 {
		n, err1 := strconv.Atoi(strings.TrimPrefix(words[i], "o"))
		v, err2 := strconv.Atoi(words[i+1])
		if err1 != nil || err2 != nil || n < 0 || n >= len(at) {
			return nil, fmt.Errorf("z3 gives the value %q to %q", words[i+1], words[i])
		}
		at[n] = v
	}
	order := make([]int, len(at))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return at[a] - at[b] })
	return order, nil
}

// SMT returns the problem as SMT-LIB text. Order variables o are integers. Value
// variables v are words; k says whether one is known. If lenient, a condition that is
// to flip is met where its value is unknown.
func (p *Problem) SMT(lenient bool) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	for n, i := range p.nodes {
		if n == p.cut {
			line("(declare-const o%d Int) ; the branch decides", n)
		} else {
			line("(declare-const o%d Int) ; event %d: %v", n, i, p.trace.events[i])
		}
	}
	for r := range p.reads {
		line("(declare-const v%d (_ BitVec 64)) ; what o%d reads", r, p.reads[r].node)
		line("(declare-const k%d Bool)", r)
	}
	line("; program order, spawn and sync")
	for n, list := range p.preds {
		for _, m := range list {
			line("(assert %s)", less(m, n))
		}
	}
	line("; synchronization")
	for _, l := range p.locks {
		line("(assert (or %s))", p.smtOrders(l))
	}
	line("; reads and writes")
	for i := range p.reads {
		r := &p.reads[i]
		var sources []string
		for k := range r.sources {
			sources = append(sources, p.smtSource(i, r, &r.sources[k]))
		}
		line("(assert (or %s))", strings.Join(sources, "\n            "))
	}
	line("; branches")
	for _, c := range p.conds {
		line("(assert (or %s %s))", less(p.cut, c.node), smtCondition(c, lenient))
	}
	line("(check-sat)")
	b.WriteString("(get-value (")
	for n := range p.nodes {
		fmt.Fprintf(&b, "o%d ", n)
	}
	line("))")
	return b.String()
}

// smtOrders returns the orders of two sections of which one must hold: one section is behind the cut, or
// ends before the other begins.
func (p *Problem) smtOrders(l [2]*section) string {
	x, y := p.node[l[0].lock], p.node[l[1].lock]
	alternatives := less(p.cut, x) + " " + less(p.cut, y)
	if u, ok := p.node[l[0].unlock]; ok {
		alternatives += " " + less(u, y)
	}
	if u, ok := p.node[l[1].unlock]; ok {
		alternatives += " " + less(u, x)
	}
	return alternatives
}

// smtCondition returns the formula of a condition.
func smtCondition(c condition, lenient bool) string {
	x, known := smtTerm(&c.term)
	op := "="
	if c.want {
		op = "distinct"
	}
	met := fmt.Sprintf("(%s %s %s)", op, x, word(0))
	if lenient || !c.flip {
		return fmt.Sprintf("(or (not %s) %s)", known, met)
	}
	return fmt.Sprintf("(and %s %s)", known, met)
}

func (p *Problem) smtSource(i int, r *read, s *source) string {
	var b strings.Builder
	b.WriteString("(and")
	if s.write >= 0 {
		b.WriteString(" " + less(s.write, r.node))
	}
	for _, w := range r.writes {
		switch {
		case w == s.write:
		case s.write >= 0:
			fmt.Fprintf(&b, " (or %s %s)", less(w, s.write), less(r.node, w))
		default:
			b.WriteString(" " + less(r.node, w))
		}
	}
	if !s.known {
		fmt.Fprintf(&b, " (not k%d))", i)
		return b.String()
	}
	x, known := smtTerm(&s.term)
	if s.shift > 0 {
		x = fmt.Sprintf("(bvlshr %s %s)", x, word(uint64(s.shift)))
	}
	if s.size < wordSize {
		x = fmt.Sprintf("(bvand %s %s)", x, word(1<<(8*s.size)-1))
	}
	fmt.Fprintf(&b, " (= k%d %s) (= v%d %s))", i, known, i, x)
	return b.String()
}

func less(a, b int) string { return fmt.Sprintf("(< o%d o%d)", a, b) }

func word(v uint64) string { return fmt.Sprintf("#x%016x", v) }

// smtTerm returns a term as a word, and whether it is known as a formula.
func smtTerm(x *term) (value, known string) {
	known = "true"
	for _, site := range slices.Sorted(maps.Keys(x.reads)) {
		known = fmt.Sprintf("(and %s k%d)", known, x.reads[site])
	}
	var stack []string
	for _, t := range x.expr {
		n := len(stack)
		switch t.Op {
		case event.Const:
			stack = append(stack, word(t.Arg))
		case event.ReadAt:
			stack = append(stack, fmt.Sprintf("v%d", x.reads[uint32(t.Arg)]))
		case event.SignExtend, event.ZeroExtend:
			op := "sign_extend"
			if t.Op == event.ZeroExtend {
				op = "zero_extend"
			}
			stack[n-1] = fmt.Sprintf("((_ %s %d) ((_ extract %d 0) %s))", op, 64-t.Arg, t.Arg-1, stack[n-1])
		default:
			stack[n-2] = smtBinary(t.Op, stack[n-2], stack[n-1])
			stack = stack[:n-1]
		}
	}
	return stack[0], known
}

var smtOps = map[event.ExprOp]string{
	event.Add: "bvadd", event.Sub: "bvsub", event.Mul: "bvmul",
	event.BitAnd: "bvand", event.BitOr: "bvor", event.BitXor: "bvxor",
	event.Eq: "=", event.Ne: "distinct",
	event.Lt: "bvslt", event.Le: "bvsle", event.Gt: "bvsgt", event.Ge: "bvsge",
	event.LtU: "bvult", event.LeU: "bvule", event.GtU: "bvugt", event.GeU: "bvuge",
}

func smtBinary(o event.ExprOp, a, b string) string {
	x := fmt.Sprintf("(%s %s %s)", smtOps[o], a, b)
	if o >= event.Eq {
		x = fmt.Sprintf("(ite %s %s %s)", x, word(1), word(0))
	}
	return x
}
