package ssapass

import (
	"fmt"
	"go/types"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
)

const opaqueSource = `package unit

import "cmp"

type Doer interface{ Do() }

type Box[T any] struct{ n int; val T }

func (b *Box[T]) Get() int { return b.n }
func (b Box[T]) Val() int { return b.n }
func (b *Box[T]) inner() int { return b.n }
func (b *Box[T]) Inner() int { return b.inner() }

type Ordered[T cmp.Ordered] struct{ n int }

func (o *Ordered[T]) Get() int { return o.n }

func Any[T any](b *Box[T]) int { return b.n }
func Two[K comparable, V Doer](b *Box[V], k K) int { return b.n }
func Sum[T ~int | ~uint8 | ~string](b *Box[T]) int { return b.n }
func Slice[S ~[]E, E any](s S, b *Box[E]) int { return b.n }
func Sorted[S ~[]E, E cmp.Ordered](s S, b *Box[E]) int { part(s[1:]); return b.n }
func part[S ~[]E, E cmp.Ordered](s S) { if s[0] < s[1] { s[0] = s[1] } }
func Nested[S ~[][]E, E any](s S, b *Box[E]) int { return b.n }
func Map[M ~map[K]V, K comparable, V any](m M, b *Box[V]) int { return b.n }
func Both[T interface{ ~int; Do() }](b *Box[T]) int { return b.n }
func Many[A, B, C cmp.Ordered](a A, b B, c C, x *Box[A]) int { return x.n }
func Self[T interface{ Less(T) bool }](b *Box[T]) int { return b.n }
func hidden[T any](b *Box[T]) int { return b.n }
func Named[T any](b *Box[T]) int { return hidden(b) }
func unused[T any](b *Box[T]) int { return b.n }

func Zero[T Doer]() { var zero T; zero.Do() }
func Known[T Doer](v *box) { v.Do() }

type box struct{}

func (*box) Do() {}
`

// TestOpaque: an exposed generic function has an opaque instance if all its constraints are sets of
// methods, and none otherwise. A main package has none.
func TestOpaque(t *testing.T) {
	p := unitOf(t, opaqueSource).prog
	var got []string
	for f := range p.unit.represented {
		got = append(got, f.Name())
	}
	slices.Sort(got)
	if want := "[Any Get Get Inner Known Named Slice Sorted Sum Two Val Zero hidden inner part]"; fmt.Sprint(got) != want {
		t.Errorf("represented: %v, want %s", got, want)
	}
	if n := len(unitIn(t, true, opaqueSource+"\nfunc main() { Named(&Box[int]{}) }").prog.unit.represented); n != 0 {
		t.Errorf("%d functions of a main package are represented", n)
	}
}

// TestOpaqueCalls: the method of an opaque type is external code, also that of its zero value.
func TestOpaqueCalls(t *testing.T) {
	a := unitOf(t, opaqueSource)
	sync := map[string]Sync{}
	for _, f := range a.prog.funcs {
		if opaqueInstance(f) {
			sync[f.Origin().Name()] = a.Summary(f).Sync
		}
	}
	if s := sync["Zero"]; s&CallsUnseen == 0 || s&MayRelease == 0 {
		t.Errorf("the method of a zero value has the effects %b", s)
	}
	if s, ok := sync["Known"]; !ok || s&(CallsUnseen|MayRelease) != 0 {
		t.Errorf("a known method has the effects %b, found %v", s, ok)
	}
}

// TestOpaqueValues: a value of an opaque type is unknown, and so is an interface made of one.
func TestOpaqueValues(t *testing.T) {
	a := unitOf(t, `package unit

func Value[T any](v *T) (T, any) { x := *v; return x, any(x) }
func Zero[T any](c bool) any { var zero T; var i any = 1; if c { i = zero }; return i }
`)
	found := 0
	for _, f := range a.prog.funcs {
		if !opaqueInstance(f) {
			continue
		}
		for in := range instrs.Of(f) {
			r, ok := in.(*ssa.Return)
			if !ok {
				continue
			}
			for _, v := range r.Results {
				found++
				if !types.IsInterface(v.Type()) || !a.Points.Points(v).Unknown {
					t.Errorf("%s: %s is known: %v", f, v, a.Points.Points(v))
				}
			}
		}
	}
	if found != 3 {
		t.Errorf("%d results", found)
	}
}

// opaqueInstance reports whether all type arguments of f are opaque types.
func opaqueInstance(f *ssa.Function) bool {
	for _, t := range f.TypeArgs() {
		if !Opaque(t) {
			return false
		}
	}
	return len(f.TypeArgs()) > 0
}
