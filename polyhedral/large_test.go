package polyhedral

import (
	"errors"
	"maps"
	"math"
	"testing"
	"time"
)

// TestLarge bounds the time for the largest nests that programs usually have.
func TestLarge(t *testing.T) {
	tile := func(v, outer string, limit Expr) Loop {
		return Loop{Var: v, From: []Expr{Iter(outer)}, Op: Less, To: []Expr{Iter(outer).Plus(32), limit}, Step: 1}
	}
	tiledMatmul := []any{up("r", zero, n, 32), up("s", zero, m, 32), up("t", zero, l, 32),
		tile("i", "r", n), tile("j", "s", m), tile("k", "t", l)}
	cube := []any{up("i", one, n.Plus(-1), 1), up("j", one, m.Plus(-1), 1), up("k", one, l.Plus(-1), 1)}
	var points, corners []ref
	for a := int64(-1); a <= 1; a++ {
		for b := int64(-1); b <= 1; b++ {
			for c := int64(-1); c <= 1; c++ {
				at := rd(flat, i.Plus(a).Mul(m).Add(j.Plus(b)).Mul(l).Add(k.Plus(c)))
				if points = append(points, at); a*a+b*b+c*c <= 1 {
					corners = append(corners, at)
				}
			}
		}
	}
	flatOf := func(name string, row, col, width Expr) ref { return rd(Array{Name: name}, row.Mul(width).Add(col)) }
	for _, c := range []struct {
		name  string
		steps []any
		refs  []ref
		most  time.Duration
	}{
		{"tiled matmul", tiledMatmul, []ref{flatOf("C", i, j, m), flatOf("A", i, k, l), flatOf("B", k, j, m)}, 5 * time.Second},
		{"27 points", cube, points, 5 * time.Second},
		{"7 points", cube, corners, 5 * time.Second},
	} {
		start := time.Now()
		footprints, refused := Analyze(accessesOf(t, c.steps, c.refs))
		took := time.Since(start)
		if len(refused) > 0 {
			t.Errorf("%s: refused: %v", c.name, refused[0].Err)
		}
		for _, f := range footprints {
			t.Logf("%s: %v\n%s", c.name, took, f.ReadScan)
		}
		if took > c.most {
			t.Errorf("%s took %v", c.name, took)
		}
		checkFootprints(t, c.steps, c.refs, footprints)
	}
}

// TestLargeCoefficients mixes coefficients up to the ends of int64 into random nests. A
// nest that is not refused must have a correct scan while the symbols are within the
// limit.
func TestLargeCoefficients(t *testing.T) {
	checked, refusals := 0, 0
	for seed := range *nests / 4 {
		r := nestOf(seed, 5)
		sts := r.statements()[:1]
		st := &sts[0]
		large := func() int64 {
			x := int64(1) << (20 + r.pick(43))
			return []int64{x, -x, x - 1, math.MaxInt64, math.MinInt64, math.MaxInt64 >> 1}[r.pick(6)]
		}
		at := r.pick(len(st.subs))
		if r.one(2) {
			st.subs[at] = st.subs[at].Scale(large() >> r.pick(40))
		} else {
			st.subs[at] = st.subs[at].Plus(large())
		}
		if r.one(3) {
			st.steps = append(st.steps, GE(st.subs[at], Const(large())))
		}
		a, err := st.access()
		if err != nil {
			refusals++
			continue
		}
		a.Write = false
		footprints, refused := Analyze([]Access{a})
		for _, x := range refused {
			refusals++
			if !errors.Is(x.Err, ErrOverflow) && !errors.Is(x.Err, errLarge) {
				t.Fatalf("seed %d: %v\n%s", seed, x.Err, describe(sts))
			}
		}
		for _, f := range footprints {
			if f.ReadScan == nil {
				continue
			}
			for _, env := range environments {
				if max(magnitude(env[Var{"n", Symbol}]), magnitude(env[Var{"m", Symbol}])) > uint64(f.Limit) {
					continue
				}
				checked++
				env = maps.Clone(env)
				got := visited(t, f.ReadScan, env)
				if want := touched(sts, env); !maps.Equal(got, want) {
					t.Fatalf("seed %d for %v: want %v, got %v\n%s%s", seed, env, sorted(want), sorted(got), describe(sts), f.ReadScan)
				}
			}
		}
	}
	t.Logf("%d evaluations, %d refused", checked, refusals)
	if checked < *nests/4 || refusals < *nests/40 {
		t.Errorf("%d evaluations, %d refused", checked, refusals)
	}
}
