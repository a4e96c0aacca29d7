package polyhedral

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var nests = flag.Int("nests", 6000, "random nests that TestRandomNests tries")

// A statement of a random nest has the steps that execute it as written.
type statement struct {
	steps []any // Loop, Cond or quotient, outermost first
	subs  []Expr
	array Array
	write bool
}

type quotient struct {
	name string
	e    Expr
	c    int64
}

// domain returns the domain of the statement.
func (st statement) domain() (d Domain, err error) {
	for _, s := range st.steps {
		switch s := s.(type) {
		case Loop:
			d, err = d.Loop(s)
		case Cond:
			d, err = d.Where(s)
		case quotient:
			d, err = d.Quotient(s.name, s.e, s.c)
		}
		if err != nil {
			return d, err
		}
	}
	return d, nil
}

// access returns the statement's access.
func (st statement) access() (Access, error) {
	d, err := st.domain()
	return Access{st.array, st.subs, st.write, d}, err
}

// visited returns the elements that a scan visits, none if it is nil.
func visited(t testing.TB, scan *Scan, env environment) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	if scan == nil {
		return out
	}
	err := scan.Visit(env.value, func(row []int64, lo, hi int64) {
		for i := lo; i < hi; i++ {
			out[element(row, i)] = true
		}
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, scan)
	}
	return out
}

type environment map[Var]int64

func (env environment) value(v Var) (int64, bool) { x, ok := env[v]; return x, ok }

// execute runs the statement as Go does and calls visit for each iteration. The package
// under test only evaluates its expressions.
func (st statement) execute(env environment, visit func()) { run(st.steps, env, visit) }

func run(steps []any, env environment, visit func()) {
	if len(steps) == 0 {
		visit()
		return
	}
	eval := func(e Expr) int64 {
		x, err := e.Eval(env.value)
		if err != nil {
			panic(err)
		}
		return x
	}
	switch s := steps[0].(type) {
	case Loop:
		pick := func(es []Expr, greatest bool) int64 {
			x := eval(es[0])
			for _, e := range es[1:] {
				if y := eval(e); (y > x) == greatest {
					x = y
				}
			}
			return x
		}
		up := s.Step > 0
		from, to := pick(s.From, up), pick(s.To, !up)
		v := Var{s.Var, Iterator}
		for i := from; ; i += s.Step {
			if s.Op == Less && i >= to || s.Op == LessEqual && i > to || s.Op == Greater && i <= to || s.Op == GreaterEqual && i < to {
				break
			}
			env[v] = i
			run(steps[1:], env, visit)
		}
		delete(env, v)
	case Cond:
		x := eval(s.a)
		y := eval(s.b)
		holds := map[string]bool{"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y, "!=": x != y,
			"mod": s.op == "mod" && x%y == 0}[s.op]
		if holds {
			run(steps[1:], env, visit)
		}
	case quotient:
		v := Var{s.name, Iterator}
		x := eval(s.e)
		q := x / s.c
		if x < 0 && x%s.c != 0 {
			q--
		}
		env[v] = q
		run(steps[1:], env, visit)
		delete(env, v)
	}
}

// element returns the key of an element: its row and its index, as text.
func element(row []int64, index int64) string { return fmt.Sprint(row, index) }

// touched executes statements and returns the elements they access.
func touched(sts []statement, env environment) map[string]bool {
	out := map[string]bool{}
	for _, st := range sts {
		st.execute(env, func() {
			var row []int64
			var index int64
			for k, e := range st.subs {
				x, err := e.Eval(env.value)
				if err != nil {
					panic(err)
				}
				if k < st.array.Rows {
					row = append(row, x)
					continue
				}
				if k > st.array.Rows {
					size, _ := st.array.Sizes[k-st.array.Rows-1].Eval(env.value)
					index *= size
				}
				index += x
			}
			out[element(row, index)] = true
		})
	}
	return out
}

// randomNest generates random statements. All choices come from one source.
type randomNest struct{ *rand.Rand }

func nestOf(seed int, stream uint64) randomNest {
	return randomNest{rand.New(rand.NewPCG(uint64(seed), stream))}
}

func (r randomNest) pick(n int) int { return r.IntN(n) }

func (r randomNest) one(in int) bool { return r.IntN(in) == 0 }

// affine returns a small affine expression over iters and symbols.
func (r randomNest) affine(iters []string, symbols bool) Expr {
	e := Const(int64(r.pick(5)) - 2)
	if symbols && !r.one(4) {
		e = e.Add(Sym([]string{"n", "m"}[r.pick(2)]))
	}
	if len(iters) > 0 && r.one(2) {
		e = e.Add(Iter(iters[r.pick(len(iters))]).Scale(int64(r.pick(5)) - 2))
	}
	return e
}

// subscript returns a random affine expression that has most iterators.
func (r randomNest) subscript(iters []string) Expr {
	e := Const(int64(r.pick(5)) - 2)
	for _, i := range iters {
		e = e.Add(Iter(i).Scale([]int64{1, 1, 1, 1, 2, -1, 3, 0, -2}[r.pick(9)]))
		if r.one(3) {
			break
		}
	}
	if r.one(3) {
		e = e.Add(Sym("n").Scale(int64(r.pick(3)) - 1))
	}
	return e
}

func (r randomNest) loop(name string, outer []string) Loop {
	l := Loop{Var: name, Step: []int64{1, 1, 1, 1, 2, 3, -1, -1, -2}[r.pick(9)]}
	lo, hi := []Expr{r.affine(outer, r.one(4))}, []Expr{r.affine(outer, true)}
	if r.one(4) {
		lo = append(lo, r.affine(outer, r.one(2)))
	}
	if r.one(4) {
		hi = append(hi, r.affine(outer, true))
	}
	if l.Step > 0 {
		l.From, l.To, l.Op = lo, hi, []Op{Less, LessEqual}[r.pick(2)]
	} else {
		l.From, l.To, l.Op = hi, lo, []Op{Greater, GreaterEqual}[r.pick(2)]
	}
	return l
}

// statements returns one to three statements of one nest with one array.
func (r randomNest) statements() []statement {
	var steps []any
	var iters []string
	for d := range 1 + r.pick(3) {
		name := []string{"i", "j", "k"}[d]
		steps = append(steps, r.loop(name, iters))
		iters = append(iters, name)
	}
	switch r.pick(8) {
	case 0:
		conds := []Cond{LT(r.subscript(iters), r.affine(iters, true)), NE(Iter(iters[0]), r.affine(iters[1:], true)),
			EQ(r.subscript(iters), r.affine(nil, true)), Multiple(r.subscript(iters), int64(2+r.pick(2)))}
		steps = append(steps, conds[r.pick(len(conds))])
	case 1:
		steps = append(steps, quotient{"q", r.subscript(iters), int64(2 + r.pick(3))})
		iters = append(iters, "q")
	}
	array := Array{Name: "a"}
	kind := r.pick(5)
	switch kind {
	case 0:
		array.Rows = 1
	case 1:
		array.Sizes = []Expr{Const(int64(3 + r.pick(6)))}
	}
	var out []statement
	for range 1 + r.pick(3) {
		st := statement{steps: steps, array: array, write: r.one(2)}
		switch {
		case kind == 0:
			st.subs = []Expr{r.subscript(iters), r.subscript(iters)}
		case kind == 1:
			st.subs = []Expr{r.subscript(iters), r.subscript(iters)}
		case kind == 2: // flat, with a symbolic row length
			st.subs = []Expr{Iter(iters[0]).Plus(int64(r.pick(3)) - 1).Mul(Sym("n")).Add(r.subscript(iters[1:]))}
		default:
			st.subs = []Expr{r.subscript(iters)}
		}
		out = append(out, st)
	}
	return out
}

// describe prints a nest for a failure message.
func describe(sts []statement) string {
	var b strings.Builder
	for _, s := range sts[0].steps {
		switch s := s.(type) {
		case Loop:
			fmt.Fprintf(&b, "for %s := %v; op %d %v; step %d\n", s.Var, s.From, s.Op, s.To, s.Step)
		case Cond:
			fmt.Fprintf(&b, "if %v\n", s)
		case quotient:
			fmt.Fprintf(&b, "%s := floor(%v, %d)\n", s.name, s.e, s.c)
		}
	}
	for _, st := range sts {
		fmt.Fprintf(&b, "%s%v rows %d sizes %v\n", st.array.Name, st.subs, st.array.Rows, st.array.Sizes)
	}
	return b.String()
}

// tally counts the outcomes of random nests.
type tally struct {
	nests, refused, existential, elements, visits, runs int
	// unique counts nests without existentials and guards; twice counts such nests with an
	// element that is visited twice.
	unique, twice int
	reasons       map[string]int
}

// checkNest compares the scan of a nest with its execution.
func checkNest(t testing.TB, sts []statement, sums *tally) {
	t.Helper()
	sums.nests++
	var accesses []Access
	var set *Set
	var scan *Scan
	err := func() error {
		for _, st := range sts {
			d, err := st.domain()
			if err != nil {
				return err
			}
			accesses = append(accesses, Access{Array: st.array, Subs: st.subs, Write: st.write, Domain: d})
		}
		var err error
		if set, err = Image(accesses...); err != nil {
			return err
		}
		scan, err = set.Scan()
		return err
	}()
	if err != nil {
		sums.refused++
		if sums.reasons == nil {
			sums.reasons = map[string]int{}
		}
		sums.reasons[err.Error()]++
		return
	}
	exists := slices.ContainsFunc(set.pieces, func(p piece) bool { return p.exist > 0 })
	if exists {
		sums.existential++
	}
	exactlyOnce := !exists && set.OneToOne && len(set.Guard) == 0
	repeated := false
	for _, env := range environments {
		env = maps.Clone(env)
		want := touched(sts, env)
		got := map[string]bool{}
		check := func(row []int64, i int64) {
			key := element(row, i)
			repeated = repeated || got[key]
			got[key] = true
			sums.visits++
		}
		err := scan.Visit(env.value, func(row []int64, lo, hi int64) {
			sums.runs++
			for i := lo; i < hi; i++ {
				check(row, i)
			}
		})
		if err != nil {
			t.Fatalf("%v for %v:\n%s%s\n%s", err, env, describe(sts), set, scan)
		}
		sums.elements += len(want)
		if !maps.Equal(want, got) {
			t.Fatalf("for %v\n%swant %v\ngot  %v\nset %s\nscan:\n%s", env, describe(sts), sorted(want), sorted(got), set, scan)
		}
	}
	if exactlyOnce {
		sums.unique++
		if repeated {
			sums.twice++
		}
	}
}

func sorted(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }

var environments = func() (out []environment) {
	for _, v := range [][2]int64{{-3, 2}, {0, 0}, {1, 1}, {2, 5}, {3, 0}, {4, 3}, {5, 4}, {7, 2}, {3, 8}} {
		out = append(out, environment{Var{"n", Symbol}: v[0], Var{"m", Symbol}: v[1]})
	}
	return out
}()

func TestRandomNests(t *testing.T) {
	var sums tally
	for seed := range *nests {
		r := nestOf(seed, 1)
		sts := r.statements()
		checkNest(t, sts, &sums)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d nests: %d refused %v, %d with iterators left; %d elements in %d visits and %d runs; %d of %d without iterators left visit an element twice",
		sums.nests, sums.refused, sums.reasons, sums.existential, sums.elements, sums.visits, sums.runs, sums.twice, sums.unique)
	if sums.refused*100 > sums.nests {
		t.Errorf("more than 1 %% refused: %v", sums.reasons)
	}
	if sums.twice*10 > sums.unique {
		t.Errorf("%d of %d visit an element twice", sums.twice, sums.unique)
	}
}
