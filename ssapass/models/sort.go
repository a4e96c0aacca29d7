//go:build taskinstr_models

package sort

func Sort(data Interface) {
	for data.Len() > 0 && data.Less(0, 1) {
		data.Swap(0, 1)
	}
}

func Stable(data Interface) {
	for data.Len() > 0 && data.Less(0, 1) {
		data.Swap(0, 1)
	}
}

func IsSorted(data Interface) bool { return data.Len() > 0 && data.Less(0, 1) }

// Less of the result calls Less of data, with other indices.
func Reverse(data Interface) Interface { return data }

func Search(n int, f func(int) bool) int {
	for i := range n {
		if f(i) {
			return i
		}
	}
	return n
}

func Find(n int, cmp func(int) int) (i int, found bool) {
	for i := range n {
		if cmp(i) == 0 {
			return i, true
		}
	}
	return n, false
}

// The first argument of the next three is a slice in an interface; the models get the slice.

func Slice[S ~[]E, E any](x S, less func(i, j int) bool) {
	for len(x) > 1 && less(0, 1) {
		x[0], x[1] = x[1], x[0]
	}
}

func SliceStable[S ~[]E, E any](x S, less func(i, j int) bool) {
	for len(x) > 1 && less(0, 1) {
		x[0], x[1] = x[1], x[0]
	}
}

func SliceIsSorted[S ~[]E, E any](x S, less func(i, j int) bool) bool {
	return len(x) > 1 && less(0, 1)
}
