package polyhedral

import (
	"testing"
	"time"
)

// TestLarge bounds the time for nests at the upper end of what people write.
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
