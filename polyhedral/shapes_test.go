package polyhedral

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

func up(v string, lo, hi Expr, step int64) Loop {
	return Loop{Var: v, From: []Expr{lo}, Op: Less, To: []Expr{hi}, Step: step}
}

func down(v string, from, to Expr, step int64) Loop {
	return Loop{Var: v, From: []Expr{from}, Op: GreaterEqual, To: []Expr{to}, Step: step}
}

var (
	n, m, l = Sym("n"), Sym("m"), Sym("l")
	i, j, k = Iter("i"), Iter("j"), Iter("k")
	zero    = Const(0)
	one     = Const(1)

	flat = Array{Name: "a"}
	rows = Array{Name: "a", Rows: 1}
	grid = Array{Name: "a", Sizes: []Expr{Const(8)}}
)

// ref is an access of a shape; rd makes reads and wr makes writes.
type ref struct {
	array Array
	write bool
	subs  []Expr
}

func rd(a Array, subs ...Expr) ref { return ref{a, false, subs} }
func wr(a Array, subs ...Expr) ref { return ref{a, true, subs} }

// shapes are common loop nests; testdata/NAME.golden has their dumps.
var shapes = []struct {
	name  string
	steps []any
	refs  []ref
	runs  int // most runs of all scans of the nest for n = m = 6
}{
	{"sequential", []any{up("i", zero, n, 1)}, []ref{wr(flat, i)}, 1},
	{"reversed", []any{down("i", n.Plus(-1), zero, -1)}, []ref{wr(flat, i)}, 1},
	{"mirrored", []any{up("i", zero, n, 1)}, []ref{wr(flat, n.Plus(-1).Sub(i))}, 1},
	{"odd", []any{up("i", zero, n, 1)}, []ref{wr(flat, i.Scale(2).Plus(1))}, 6},
	{"interleaved", []any{up("i", zero, n, 1)}, []ref{wr(flat, i.Scale(2)), wr(flat, i.Scale(2).Plus(1))}, 1},
	{"interleaved3", []any{up("i", zero, n, 1)}, []ref{wr(flat, i.Scale(3)), wr(flat, i.Scale(3).Plus(1)), wr(flat, i.Scale(3).Plus(2))}, 1},
	{"unrolled", []any{up("i", zero, n.Plus(-2), 3)}, []ref{wr(flat, i), wr(flat, i.Plus(1)), wr(flat, i.Plus(2))}, 6},
	{"sum", []any{up("i", zero, n, 1), up("j", zero, m, 1)}, []ref{rd(flat, i.Add(j))}, 1},
	{"stencil", []any{up("i", one, n.Plus(-1), 1)}, []ref{rd(flat, i.Plus(-1)), rd(flat, i), rd(flat, i.Plus(1))}, 1},
	{"stencil-in-place", []any{up("i", one, n.Plus(-1), 1)}, []ref{wr(flat, i), rd(flat, i.Plus(-1)), rd(flat, i), rd(flat, i.Plus(1))}, 3},
	{"red-black", []any{up("i", one, n.Plus(-1), 1), up("j", Sym("o"), n.Plus(-1), 2)}, []ref{wr(rows, i, j)}, 12},
	{"row-major", []any{up("i", zero, n, 1), up("j", zero, m, 1)}, []ref{wr(flat, i.Mul(m).Add(j))}, 1},
	{"column-major", []any{up("j", zero, m, 1), up("i", zero, n, 1)}, []ref{wr(flat, i.Mul(m).Add(j))}, 1},
	{"row-loop", []any{up("i", zero, n, 1), up("k", i.Mul(m), i.Plus(1).Mul(m), 1)}, []ref{wr(flat, k)}, 1},
	{"row-reversed", []any{up("i", zero, n, 1), up("j", zero, m, 1)}, []ref{wr(flat, i.Plus(1).Mul(m).Plus(-1).Sub(j))}, 1},
	{"part-rows", []any{up("i", zero, n, 1), up("j", zero, l, 1)}, []ref{wr(flat, i.Mul(m).Add(j))}, 6},
	{"one-column", []any{up("i", zero, n, 1)}, []ref{rd(flat, i.Mul(m).Add(l))}, 6},
	// Columns that coincide if l is 0 or a multiple of m: a row for each.
	{"two-columns", []any{up("i", zero, n, 1)}, []ref{wr(flat, i.Mul(m)), wr(flat, i.Mul(m).Add(l))}, 12},
	{"one-row", []any{up("j", zero, m, 1)}, []ref{rd(flat, l.Mul(m).Add(j))}, 1},
	{"rows", []any{up("i", zero, n, 1), up("j", zero, m, 1)}, []ref{wr(rows, i, j)}, 6},
	{"transposed", []any{up("i", zero, n, 1), up("j", zero, m, 1)}, []ref{wr(rows, j, i)}, 6},
	{"grid", []any{up("i", zero, n, 1), up("j", zero, Const(8), 1)}, []ref{wr(grid, i, j)}, 1},
	{"triangular", []any{up("i", zero, n, 1), up("j", zero, i.Plus(1), 1)}, []ref{wr(flat, i.Mul(n).Add(j))}, 6},
	{"upper", []any{up("i", zero, n, 1), up("j", i, n, 1)}, []ref{wr(rows, i, j)}, 6},
	{"tiled", []any{up("t", zero, n, 16),
		Loop{Var: "i", From: []Expr{Iter("t")}, Op: Less, To: []Expr{Iter("t").Plus(16), n}, Step: 1}}, []ref{wr(flat, i)}, 1},
	{"whole-tiles", []any{up("t", zero, n, 16), up("i", Iter("t"), Iter("t").Plus(16), 1)}, []ref{wr(flat, i)}, 1},
	{"quotient", []any{up("i", zero, n, 1), quotient{"q", i, 4}}, []ref{rd(flat, Iter("q"))}, 1},
	{"every-other-row", []any{up("i", zero, n, 2), up("j", zero, m, 1)}, []ref{wr(flat, i.Mul(m).Add(j))}, 6},
	{"guarded", []any{up("i", zero, n, 1), up("j", zero, n, 1), NE(i, j)}, []ref{wr(rows, i, j)}, 12},
	{"tiled-2d", []any{up("s", zero, n, 4), up("t", zero, m, 4),
		Loop{Var: "i", From: []Expr{Iter("s")}, Op: Less, To: []Expr{Iter("s").Plus(4), n}, Step: 1},
		Loop{Var: "j", From: []Expr{Iter("t")}, Op: Less, To: []Expr{Iter("t").Plus(4), m}, Step: 1}},
		[]ref{wr(flat, i.Mul(m).Add(j))}, 1},
	{"five-point", []any{up("i", one, n.Plus(-1), 1), up("j", one, m.Plus(-1), 1)},
		[]ref{rd(rows, i, j), rd(rows, i.Plus(-1), j), rd(rows, i.Plus(1), j), rd(rows, i, j.Plus(-1)), rd(rows, i, j.Plus(1))}, 6},
	{"three-dimensional", []any{up("i", zero, n, 1), up("j", zero, m, 1), up("k", zero, l, 1)},
		[]ref{wr(flat, i.Mul(m).Add(j).Mul(l).Add(k))}, 1},
	{"matmul", []any{up("i", zero, n, 1), up("j", zero, m, 1), up("k", zero, l, 1)},
		[]ref{wr(Array{Name: "C", Rows: 1}, i, j), rd(Array{Name: "C", Rows: 1}, i, j), rd(Array{Name: "A", Rows: 1}, i, k), rd(Array{Name: "B", Rows: 1}, k, j)}, 15},
	{"matmul-flat", []any{up("i", zero, n, 1), up("j", zero, m, 1), up("k", zero, l, 1)},
		[]ref{wr(Array{Name: "C"}, i.Mul(m).Add(j)), rd(Array{Name: "C"}, i.Mul(m).Add(j)), rd(Array{Name: "A"}, i.Mul(l).Add(k)), rd(Array{Name: "B"}, k.Mul(m).Add(j))}, 3},
	{"lu", []any{up("i", k.Plus(1).Subst(Var{"k", Iterator}, Sym("p")), n, 1), up("j", Sym("p").Plus(1), n, 1)},
		[]ref{wr(flat, i.Mul(n).Add(j)), rd(flat, i.Mul(n).Add(Sym("p"))), rd(flat, Sym("p").Mul(n).Add(j))}, 16},
	{"invariant", []any{up("i", zero, n, 1)}, []ref{wr(flat, m)}, 1},
	{"two-starts", []any{Loop{Var: "i", From: []Expr{zero, l}, Op: Less, To: []Expr{n}, Step: 2}}, []ref{wr(flat, i)}, 6},
}

func accessesOf(t testing.TB, steps []any, refs []ref) (out []Access) {
	d, err := statement{steps: steps}.domain()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range refs {
		out = append(out, Access{Array: r.array, Subs: r.subs, Write: r.write, Domain: d})
	}
	return out
}

// TestShapes compares the dump of each shape with its golden file and its footprints
// with an execution, and counts its runs.
func TestShapes(t *testing.T) {
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			accesses := accessesOf(t, s.steps, s.refs)
			golden := filepath.Join("testdata", s.name+".golden")
			got := Dump(accesses)
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%swant\n%s(rewrite with -update)", got, want)
			}
			footprints, refused := Analyze(accesses)
			if len(refused) > 0 {
				t.Fatalf("refused: %v", refused[0].Err)
			}
			env := environment{}
			for _, name := range []string{"n", "m", "l"} {
				env[Var{name, Symbol}] = 6
			}
			env[Var{"l", Symbol}], env[Var{"o", Symbol}], env[Var{"p", Symbol}] = 3, 1, 2
			runs := 0
			for _, f := range footprints {
				for _, scan := range []*Scan{f.WriteScan, f.ReadScan} {
					if scan == nil {
						continue
					}
					seen := map[string]bool{}
					err := scan.Visit(env.value, func(row []int64, lo, hi int64) {
						runs++
						for x := lo; x < hi; x++ {
							if seen[element(row, x)] {
								t.Errorf("%s%v[%d] twice", f.Array.Name, row, x)
							}
							seen[element(row, x)] = true
						}
					})
					if err != nil {
						t.Fatal(err)
					}
				}
			}
			if runs > s.runs {
				t.Errorf("%d runs, more than %d", runs, s.runs)
			}
			checkFootprints(t, s.steps, s.refs, footprints)
		})
	}
}
