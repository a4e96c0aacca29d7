// Package space has vectors and boxes in space.
package space

import "math"

type Vector [3]float64

func (v Vector) Add(w Vector) Vector {
	return Vector{v[0] + w[0], v[1] + w[1], v[2] + w[2]}
}

func (v Vector) Sub(w Vector) Vector {
	return Vector{v[0] - w[0], v[1] - w[1], v[2] - w[2]}
}

func (v Vector) Scale(f float64) Vector { return Vector{v[0] * f, v[1] * f, v[2] * f} }

func (v Vector) Dot(w Vector) float64 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }

func (v Vector) Cross(w Vector) Vector {
	return Vector{v[1]*w[2] - v[2]*w[1], v[2]*w[0] - v[0]*w[2], v[0]*w[1] - v[1]*w[0]}
}

// A Box has its sides along the axes.
type Box struct{ Min, Max Vector }

// Empty contains nothing.
func Empty() Box {
	inf := math.Inf(1)
	return Box{Min: Vector{inf, inf, inf}, Max: Vector{-inf, -inf, -inf}}
}

// Include makes the box contain v.
func (b *Box) Include(v Vector) {
	for d := range v {
		b.Min[d] = min(b.Min[d], v[d])
		b.Max[d] = max(b.Max[d], v[d])
	}
}

// Join returns the least box that contains both.
func (b Box) Join(c Box) Box {
	b.Include(c.Min)
	b.Include(c.Max)
	return b
}

// Axis returns the axis along which the box is longest.
func (b *Box) Axis() int {
	best := 0
	for d := range b.Min {
		if b.Max[d]-b.Min[d] > b.Max[best]-b.Min[best] {
			best = d
		}
	}
	return best
}

// Distance returns the squared distance of v from the box, 0 inside of it.
func (b *Box) Distance(v Vector) float64 {
	sum := 0.0
	for d := range v {
		out := max(b.Min[d]-v[d], 0, v[d]-b.Max[d])
		sum += out * out
	}
	return sum
}

// Cut returns the part of the half line from+t*direction, t at least 0, inside of the
// box; inverse has the inverses of the direction's coordinates. The part is empty if
// first is above last.
func (b *Box) Cut(from, inverse Vector) (first, last float64) {
	last = math.Inf(1)
	for d := range from {
		t, u := (b.Min[d]-from[d])*inverse[d], (b.Max[d]-from[d])*inverse[d]
		first = max(first, min(t, u))
		last = min(last, max(t, u))
	}
	return first, last
}

// Select reorders xs such that its first k elements have the k least keys.
func Select(xs []int32, k int, key func(int32) float64) {
	lo, hi := 0, len(xs)
	for hi-lo > 1 {
		a, b, c := key(xs[lo]), key(xs[(lo+hi)/2]), key(xs[hi-1])
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi-1
		for i <= j {
			for key(xs[i]) < pivot {
				i++
			}
			for key(xs[j]) > pivot {
				j--
			}
			if i <= j {
				xs[i], xs[j] = xs[j], xs[i]
				i++
				j--
			}
		}
		switch { // the keys between j and i equal the pivot
		case k <= j:
			hi = j + 1
		case k >= i:
			lo = i
		default:
			return
		}
	}
}
