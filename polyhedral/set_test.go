package polyhedral

import (
	"errors"
	"maps"
	"strconv"
	"testing"
)

// elements returns the elements that the scan of a set visits.
func elements(t testing.TB, s *Set, env environment) map[string]bool {
	t.Helper()
	scan, err := s.Scan()
	if err != nil {
		t.Fatal(err)
	}
	return visited(t, scan, env)
}

// large reports whether the scan of a set is refused for its size.
func large(t testing.TB, s *Set) bool {
	t.Helper()
	_, err := s.Scan()
	if err != nil && !errors.Is(err, errLarge) && !errors.Is(err, ErrOverflow) {
		t.Fatal(err)
	}
	return err != nil
}

// TestRandomSets compares the union and the difference of two images with enumerated
// sets.
func TestRandomSets(t *testing.T) {
	var refusedUnion, refusedMinus, exact, total int
	for seed := range *nests / 4 {
		r := nestOf(seed, 4)
		one, two := r.statements()[:1], r.statements()[:1]
		if !one[0].array.equal(two[0].array) {
			continue
		}
		x, err1 := one[0].access()
		y, err2 := two[0].access()
		if err1 != nil || err2 != nil {
			continue
		}
		a, err1 := Image(x)
		b, err2 := Image(y)
		if err1 != nil || err2 != nil {
			continue
		}
		total++
		union, err := Image(x, y)
		if errors.Is(err, errLarge) {
			refusedUnion++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		minus, err := a.without(b)
		if err != nil {
			refusedMinus++
			if !errors.Is(err, errLarge) {
				t.Fatal(err)
			}
		}
		if large(t, union) {
			refusedUnion++
			continue
		}
		if minus != nil && large(t, minus) {
			minus = nil
			refusedMinus++
		}
		same := true // the difference is exact in all environments so far
		for _, env := range environments {
			env = maps.Clone(env)
			inA, inB := touched(one, env), touched(two, env)
			fail := func(name string, want, got map[string]bool, s *Set) {
				t.Fatalf("seed %d, %s for %v:\n%s%swant %v\ngot  %v\n%s", seed, name, env, describe(one), describe(two), sorted(want), sorted(got), s)
			}
			want := maps.Clone(inA)
			maps.Copy(want, inB)
			if got := elements(t, union, env); !maps.Equal(got, want) {
				fail("union", want, got, union)
			}
			if minus == nil {
				continue
			}
			want = maps.Clone(inA)
			maps.DeleteFunc(want, func(e string, _ bool) bool { return inB[e] })
			got := elements(t, minus, env)
			for e := range want {
				if !got[e] {
					fail("difference", want, got, minus)
				}
			}
			for e := range got {
				if !inA[e] {
					fail("difference", want, got, minus)
				}
			}
			same = same && maps.Equal(got, want)
		}
		if minus != nil && same {
			exact++
		}
	}
	t.Logf("%d pairs; refused: %d unions, %d differences; %d differences exact", total, refusedUnion, refusedMinus, exact)
	if total < *nests/40 {
		t.Errorf("only %d pairs", total)
	}
	if 100*refusedUnion > total || 4*refusedMinus > total || 2*exact < total {
		t.Errorf("of %d pairs refused: %d unions, %d differences; %d differences exact", total, refusedUnion, refusedMinus, exact)
	}
}

// TestMinus compares the difference of two pieces with enumerated sets. Each element of
// the arrays in this test has one coordinate.
func TestMinus(t *testing.T) {
	cut, refused := 0, 0
	for seed := range *nests / 4 {
		r := nestOf(seed, 6)
		one, two := r.statements()[:1], r.statements()[:1]
		if one[0].array.Rows+len(one[0].array.Sizes) > 0 || !one[0].array.equal(two[0].array) {
			continue
		}
		image := func(st statement) *Set {
			a, err := st.access()
			if err != nil {
				return nil
			}
			s, err := Image(a)
			if err != nil {
				return nil
			}
			return s
		}
		s, u := image(one[0]), image(two[0])
		if s == nil || u == nil || s.dims() != 1 || u.dims() != 1 {
			continue
		}
		a, b, err := align(s, u)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range a.pieces {
			for _, q := range b.pieces {
				list, ok := a.minus(p, q)
				if !ok {
					refused++
					continue
				}
				cut++
				set := func(pieces ...piece) *Set {
					out := a.empty()
					out.pieces = pieces
					return out
				}
				if large(t, set(p)) || large(t, set(q)) || large(t, set(list...)) {
					continue
				}
				for _, env := range environments {
					want := elements(t, set(p), env)
					inQ := elements(t, set(q), env)
					maps.DeleteFunc(want, func(e string, _ bool) bool { return inQ[e] })
					if got := elements(t, set(list...), env); !maps.Equal(got, want) {
						t.Fatalf("seed %d for %v:\n%s\nwithout\n%s\nwant %v\ngot  %v", seed, env, set(p), set(q), sorted(want), sorted(got))
					}
				}
			}
		}
	}
	t.Logf("%d pairs of pieces cut, %d refused", cut, refused)
	if cut < *nests/100 || refused > cut {
		t.Errorf("%d pairs of pieces cut, %d refused", cut, refused)
	}
}

// TestAssume checks that an assumption makes tests unnecessary.
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

// TestLimit executes scans without loops with symbols at their limit. An overflow must
// occur not far beyond the limit.
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
	// There is no limit if a constant alone is too large.
	huge := accessesOf(t, []any{up("i", zero, n, 1)}, []ref{wr(flat, i.Plus(1<<62))})
	if _, refused := Analyze(huge); len(refused) != 1 || !errors.Is(refused[0].Err, ErrOverflow) {
		t.Errorf("a subscript beyond 1<<62 is not refused: %v", refused)
	}
}

// TestFormat prints a scan with names that the caller chooses.
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

// A set of many columns is refused at once.
func TestManyColumns(t *testing.T) {
	for _, n := range []int{maxColumns / 2, 250} {
		var assume []Cond
		for k := range n {
			assume = append(assume, GT(Sym("len"+strconv.Itoa(k)), Const(0)))
		}
		zeros := make([]Expr, n+1)
		for k := range zeros {
			zeros[k] = Const(0)
		}
		for _, a := range []Access{
			{Array: Array{Name: "a"}, Subs: zeros[:1], Domain: NewDomain(assume...)},
			{Array: Array{Name: "a", Rows: n}, Subs: zeros, Domain: NewDomain()},
		} {
			_, err := Image(a)
			if many := n > maxColumns; many != errors.Is(err, errLarge) || !many && err != nil {
				t.Errorf("%d subscripts and %d assumptions: error %v", len(a.Subs), len(a.Domain.assume), err)
			}
		}
	}
}
