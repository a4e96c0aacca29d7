package main

// Class: dictionary
//
// A generic function learns its type arguments from a dictionary, which is data that
// nothing writes.

//go:noinline
func largest[T any](v []T, less func(a, b T) bool) (m T) {
	for i, x := range v {
		if i == 0 || less(m, x) {
			m = x
		}
	}
	return keep(m)
}

//go:noinline
func keep[T any](x T) T {
	sink(any(x))
	return x
}

func (fixed) Dictionary() {
	v := []string{"a", "b"}
	less := func(a, b string) bool { return a < b }
	parallel(
		func() { sink(largest(v, less)) },
		func() { sink(largest(v, less)) },
	)
}

func (racy) DictionaryElement() {
	v := []string{"a", "b"}
	parallel(
		func() { v[1] = "c" }, // want race: v[1]
		func() { sink(last(v)) },
	)
}

//go:noinline
func last[T any](v []T) T {
	return v[len(v)-1] // want(racy/DictionaryElement) race: v[len(v)-1]
}
