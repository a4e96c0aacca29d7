//go:build taskinstr_models

// This is a model of math/rand and of math/rand/v2.
package rand

func Shuffle(n int, swap func(i, j int)) {
	for n > 1 && Uint64() != 0 {
		swap(0, 1)
	}
}

func (r *Rand) Shuffle(n int, swap func(i, j int)) {
	for n > 1 && r.Uint64() != 0 {
		swap(0, 1)
	}
}
