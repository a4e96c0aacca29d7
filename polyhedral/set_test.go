package polyhedral

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// elements evaluates a set's scan.
func elements(t testing.TB, s *Set, env environment) map[string]bool {
	t.Helper()
	scan, err := s.Scan()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	if err := scan.Eval(env.value, func(row []int64, x int64) { out[element(row, x)] = true }); err != nil {
		t.Fatal(err)
	}
	return out
}

// large says that a set's scan is refused for its size.
func large(t testing.TB, s *Set) bool {
	t.Helper()
	_, err := s.Scan()
	if err != nil && !errors.Is(err, errLarge) && !errors.Is(err, ErrOverflow) {
		t.Fatal(err)
	}
	return err != nil
}

// withinSizes says whether all subscripts that an array's sizes bind are in range,
// as they are in a program that does not panic.
func withinSizes(st statement, env environment) bool {
	in := true
	for k, size := range st.array.Sizes {
		st.execute(env, func() {
			x, _ := st.subs[st.array.Rows+1+k].Eval(env.value)
			most, _ := size.Eval(env.value)
			in = in && 0 <= x && x < most
		})
	}
	return in
}

// TestRandomSets compares union, intersection, difference, the set of rows, and
// membership with those of enumerated sets.
func TestRandomSets(t *testing.T) {
	var refusedUnion, refusedMeet, refusedMinus, total int
	for seed := range *nests / 4 {
		r := randomNest{rand.New(rand.NewPCG(uint64(seed), 4))}
		one, two := r.statements()[:1], r.statements()[:1]
		if !one[0].array.equal(two[0].array) {
			continue
		}
		image := func(st statement) *Set {
			d, err := st.domain()
			if err != nil {
				return nil
			}
			s, err := Image(Access{Array: st.array, Subs: st.subs, Domain: d})
			if err != nil {
				return nil
			}
			return s
		}
		a, b := image(one[0]), image(two[0])
		if a == nil || b == nil {
			continue
		}
		total++
		union, err := a.Union(b)
		if errors.Is(err, errLarge) {
			refusedUnion++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		meet, err := a.Intersect(b)
		if err != nil {
			refusedMeet++
			if !errors.Is(err, errAlias) {
				t.Logf("seed %d: %v", seed, err)
			}
		}
		minus, err := a.Subtract(b)
		if err != nil {
			refusedMinus++
			if !errors.Is(err, ErrInexact) && !errors.Is(err, errLarge) {
				t.Fatal(err)
			}
		}
		if large(t, union) {
			refusedUnion++
			continue
		}
		if meet != nil && large(t, meet) {
			meet = nil
			refusedMeet++
		}
		if minus != nil && large(t, minus) {
			minus = nil
			refusedMinus++
		}
		for _, env := range environments {
			env = maps.Clone(env)
			inA, inB := touched(one, env), touched(two, env)
			fail := func(what string, want, got map[string]bool, s *Set) {
				t.Fatalf("seed %d, %s for %v:\n%s%swant %v\ngot  %v\n%s", seed, what, env, describe(one), describe(two), sorted(want), sorted(got), s)
			}
			want := maps.Clone(inA)
			maps.Copy(want, inB)
			if got := elements(t, union, env); !maps.Equal(got, want) {
				fail("union", want, got, union)
			}
			bound := withinSizes(one[0], env) && withinSizes(two[0], env)
			if meet != nil && len(meet.Guard) == 0 && bound {
				want := maps.Clone(inA)
				maps.DeleteFunc(want, func(e string, _ bool) bool { return !inB[e] })
				if got := elements(t, meet, env); !maps.Equal(got, want) {
					fail("intersection", want, got, meet)
				}
			}
			if minus != nil {
				want := maps.Clone(inA)
				maps.DeleteFunc(want, func(e string, _ bool) bool { return inB[e] })
				got := elements(t, minus, env)
				if minus.OneToOne && len(minus.Guard) == 0 && a.shape.equal(b.shape) && bound {
					if !maps.Equal(got, want) {
						fail("difference", want, got, minus)
					}
				}
				for e := range want { // elements with several coordinates may stay
					if !got[e] {
						fail("difference", want, got, minus)
					}
				}
				for e := range got {
					if !inA[e] {
						fail("difference", want, got, minus)
					}
				}
			}
			if a.array.Rows > 0 {
				heads, err := a.Rows(1)
				if err != nil {
					t.Fatal(err)
				}
				want := map[string]bool{}
				for e := range inA { // "[row] index"
					row, _, _ := strings.Cut(strings.TrimPrefix(e, "["), "]")
					want["[] "+row] = true
				}
				if got := elements(t, heads, env); !maps.Equal(got, want) {
					fail("rows", want, got, heads)
				}
			}
			if a.dims() == 1 && !slices.ContainsFunc(a.pieces, func(p piece) bool { return p.exist > 0 }) {
				for x := int64(-30); x < 30; x++ {
					if in, err := a.Contains(env.value, []int64{x}); err != nil || in != inA[element(nil, x)] {
						t.Fatalf("seed %d: %d in %s: %v, %v", seed, x, a, in, err)
					}
				}
			}
		}
	}
	t.Logf("%d pairs; refused: %d unions, %d intersections, %d differences", total, refusedUnion, refusedMeet, refusedMinus)
	if total < *nests/40 {
		t.Errorf("only %d pairs", total)
	}
	if 100*refusedUnion > total || 4*refusedMinus > total || 3*refusedMeet > 2*total {
		t.Errorf("of %d pairs refused: %d unions, %d intersections, %d differences", total, refusedUnion, refusedMeet, refusedMinus)
	}
}

// TestAssume checks that assumptions take away tests.
func TestAssume(t *testing.T) {
	for _, c := range []struct {
		assume []Cond
		want   string
	}{
		{nil, "if m >= 1 && n >= 1 {\n\ta[0:m*n]\n}\n"},
		{[]Cond{GE(n, one)}, "if m >= 1 {\n\ta[0:m*n]\n}\n"},
		{[]Cond{GE(n, one), GT(m, n)}, "a[0:m*n]\n"},
	} {
		d := NewDomain(c.assume...)
		for _, l := range []Loop{up("i", zero, n, 1), up("j", zero, m, 1)} {
			var err error
			if d, err = d.Loop(l); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Image(Access{Array: flat, Subs: []Expr{i.Mul(m).Add(j)}, Domain: d})
		if err != nil {
			t.Fatal(err)
		}
		scan, err := s.Scan()
		if err != nil {
			t.Fatal(err)
		}
		if got := scan.String(); got != c.want {
			t.Errorf("with %v got\n%swant\n%s", c.assume, got, c.want)
		}
	}
}

// TestLimit evaluates scans that have no loops with symbols at their limit, and
// wants an overflow not far beyond it.
func TestLimit(t *testing.T) {
	for _, s := range shapes {
		footprints, _ := Analyze(accessesOf(t, s.steps, s.refs))
		for _, f := range footprints {
			for _, scan := range []*Scan{f.WriteScan, f.ReadScan} {
				if scan == nil {
					continue
				}
				loops := false
				scan.Walk(func(n Node) bool {
					switch n.(type) {
					case *ForLoop, *Strided:
						loops = true
					}
					return true
				})
				if loops {
					continue
				}
				at := func(x int64) error {
					return scan.Visit(func(Var) (int64, bool) { return x, true }, func([]int64, int64, int64) {})
				}
				for _, x := range []int64{f.Limit, -f.Limit, f.Limit - 1} {
					if err := at(x); err != nil {
						t.Errorf("%s with symbols %d: %v", s.name, x, err)
					}
				}
			}
		}
	}
	// n*m must stay below 2^62.
	footprints, _ := Analyze(accessesOf(t, []any{up("i", zero, n, 1), up("j", zero, m, 1)}, []ref{wr(flat, i.Mul(m).Add(j))}))
	if got := footprints[0].Limit; got != 1<<30 {
		t.Errorf("limit of a flat array is %d", got)
	}
	// Nothing is left where a constant alone is too large.
	huge := accessesOf(t, []any{up("i", zero, n, 1)}, []ref{wr(flat, i.Plus(1<<62))})
	if _, refused := Analyze(huge); len(refused) != 1 || !errors.Is(refused[0].Err, ErrOverflow) {
		t.Errorf("a subscript beyond 1<<62 is not refused: %v", refused)
	}
}

// TestFormat prints a scan with the names of its user.
func TestFormat(t *testing.T) {
	footprints, _ := Analyze(accessesOf(t, []any{up("i", zero, n, 1), up("j", i, m, 3)}, []ref{wr(rows, i, j)}))
	got := footprints[0].WriteScan.Text(&Format{Name: func(v Var) string {
		if v.Kind == Iterator {
			return "_ti_" + v.Name
		}
		return "len_" + v.Name
	}, Min: "_ti_min", Floor: "_ti_floor"})
	const want = `for _ti_c0 := 0; _ti_c0 < _ti_min(len_n, len_m); _ti_c0++ {
	a[_ti_c0][_ti_c0:: _ti_floor(len_m - _ti_c0 + 2, 3), 3]
}
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
