package polyhedral

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestExprString(t *testing.T) {
	for _, c := range []struct {
		e    Expr
		want string
	}{
		{Const(0), "0"},
		{Const(-7), "-7"},
		{n.Sub(i), "n - i"},
		{i.Mul(n).Add(j).Plus(-1), "n*i + j - 1"},
		{i.Neg().Plus(-3), "-i - 3"},
		{i.Scale(2).Sub(i.Scale(2)), "0"},
		{i.Plus(1).Mul(n.Plus(-1)), "n*i - i + n - 1"},
		{i.Scale(-2).Plus(5), "-2*i + 5"},
		{i.Add(n).Subst(Var{"i", Iterator}, j.Scale(3).Plus(1)), "3*j + n + 1"},
		{Const(math.MaxInt64).Plus(1), "overflow"},
	} {
		if got := c.e.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestArithmetic compares the checked operations with big integers.
func TestArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	edge := []int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64, -1, 0, 1, 1 << 31, -1 << 31, 1 << 32, 3037000500}
	next := func() int64 {
		if r.IntN(2) == 0 {
			return edge[r.IntN(len(edge))]
		}
		return int64(r.Uint64()) >> r.IntN(64)
	}
	for range 20000 {
		a, b := next(), next()
		sum := new(big.Int).Add(big.NewInt(a), big.NewInt(b))
		if got, ok := addOK(a, b); ok != sum.IsInt64() || ok && got != sum.Int64() {
			t.Fatalf("%d + %d = %d, %v", a, b, got, ok)
		}
		// The lowest int64 may be refused; all other products must be exact.
		product := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		fits := product.IsInt64() && product.Int64() != math.MinInt64
		if got, ok := mulOK(a, b); fits && !ok || ok && (!product.IsInt64() || got != product.Int64()) {
			t.Fatalf("%d * %d = %d, %v", a, b, got, ok)
		}
		if b > 0 {
			q, m := new(big.Int).DivMod(big.NewInt(a), big.NewInt(b), new(big.Int))
			if floorDiv(a, b) != q.Int64() || mod(a, b) != m.Int64() {
				t.Fatalf("%d / %d", a, b)
			}
			if b > 1 && gcd(a, b) == 1 {
				x := new(big.Int).Mul(big.NewInt(inverse(a, b)), big.NewInt(a))
				if x.Mod(x, big.NewInt(b)).Int64() != 1 {
					t.Fatalf("inverse of %d modulo %d", a, b)
				}
			}
		}
	}
}

// TestRefused checks that expressions without an exact set are refused, with the
// reason.
func TestRefused(t *testing.T) {
	huge := Const(math.MaxInt64)
	inLoop, err := NewDomain().Loop(up("i", zero, n, 1))
	if err != nil {
		t.Fatal(err)
	}
	image := func(d Domain, subs ...Expr) error {
		_, err := Image(Access{Array: flat, Subs: subs, Domain: d})
		return err
	}
	loop := func(l Loop) error { _, err := inLoop.Loop(l); return err }
	for name, c := range map[string]struct {
		err  error
		want error
	}{
		"square":                 {image(inLoop, i.Mul(i)), ErrNotAffine},
		"overflowing subscript":  {image(inLoop, i.Mul(huge).Mul(Const(2))), ErrOverflow},
		"two subscripts":         {image(inLoop, i, i), nil},
		"unknown iterator":       {image(inLoop, j), nil},
		"product in a bound":     {loop(Loop{Var: "j", From: []Expr{zero}, Op: Less, To: []Expr{i.Mul(n)}, Step: 1}), ErrNotAffine},
		"step 0":                 {loop(up("j", zero, n, 0)), errStep},
		"step of the wrong sign": {loop(up("j", zero, n, -1)), errStep},
		"same iterator":          {loop(up("i", zero, n, 1)), nil},
		"lowest step":            {loop(down("j", n, zero, math.MinInt64)), errStep},
		"overflowing bound":      {loop(up("j", zero, huge.Plus(1), 1)), ErrOverflow},
	} {
		if c.err == nil || c.want != nil && !errors.Is(c.err, c.want) {
			t.Errorf("%s: got %v, want %v", name, c.err, c.want)
		}
	}
}

// TestAnalyzeRefusesOne checks that a refused access does not affect the others.
func TestAnalyzeRefusesOne(t *testing.T) {
	d, err := NewDomain().Loop(up("i", zero, n, 1))
	if err != nil {
		t.Fatal(err)
	}
	footprints, refused := Analyze([]Access{
		{Array: flat, Subs: []Expr{i.Mul(i)}, Domain: d},
		{Array: flat, Subs: []Expr{i}, Write: true, Domain: d},
	})
	if len(refused) != 1 || refused[0].Index != 0 || !errors.Is(refused[0].Err, ErrNotAffine) {
		t.Errorf("refused %v", refused)
	}
	if len(footprints) != 1 || footprints[0].WriteScan.String() != "a[0:n]\n" || footprints[0].Read != nil {
		t.Errorf("footprints %v", footprints)
	}
}
