package ssapass

import "iter"

// drain returns the elements of a list, the last one first, and takes each out of the list. The
// loop over them may append more.
func drain[T any](list *[]T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for len(*list) > 0 {
			x := (*list)[len(*list)-1]
			*list = (*list)[:len(*list)-1]
			if !yield(x) {
				return
			}
		}
	}
}
