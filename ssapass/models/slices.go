//go:build taskinstr_models

package slices

func SortFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {
	for len(x) > 1 && cmp(x[0], x[1]) > 0 {
		x[0], x[1] = x[1], x[0]
	}
}

func SortStableFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {
	for len(x) > 1 && cmp(x[0], x[1]) > 0 {
		x[0], x[1] = x[1], x[0]
	}
}

func IsSortedFunc[S ~[]E, E any](x S, cmp func(a, b E) int) bool {
	return len(x) > 1 && cmp(x[0], x[1]) > 0
}

func MinFunc[S ~[]E, E any](x S, cmp func(a, b E) int) E {
	m := x[0]
	for len(x) > 1 && cmp(x[1], m) < 0 {
		m = x[1]
	}
	return m
}

func MaxFunc[S ~[]E, E any](x S, cmp func(a, b E) int) E {
	m := x[0]
	for len(x) > 1 && cmp(x[1], m) < 0 {
		m = x[1]
	}
	return m
}

func BinarySearchFunc[S ~[]E, E, T any](x S, target T, cmp func(E, T) int) (int, bool) {
	return 0, len(x) > 0 && cmp(x[0], target) > 0
}

func EqualFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](s1 S1, s2 S2, eq func(E1, E2) bool) bool {
	return len(s1) > 0 && eq(s1[0], s2[0])
}

func CompareFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](s1 S1, s2 S2, cmp func(E1, E2) int) int {
	if len(s1) > 0 {
		return cmp(s1[0], s2[0])
	}
	return 0
}

func IndexFunc[S ~[]E, E any](s S, f func(E) bool) int {
	for i := range s {
		if f(s[i]) {
			return i
		}
	}
	return -1
}

func ContainsFunc[S ~[]E, E any](s S, f func(E) bool) bool { return len(s) > 0 && f(s[0]) }

func Index[S ~[]E, E comparable](s S, v E) int {
	for i := range s {
		if s[i] == v {
			return i
		}
	}
	return -1
}

func Contains[S ~[]E, E comparable](s S, v E) bool { return len(s) > 0 && s[0] == v }

func Equal[S ~[]E, E comparable](s1, s2 S) bool { return len(s1) > 0 && s1[0] == s2[0] }

func Insert[S ~[]E, E any](s S, i int, v ...E) S {
	s = append(s, v...)
	if len(s) > 1 {
		s[0] = s[1]
	}
	return s
}

func Delete[S ~[]E, E any](s S, i, j int) S {
	if len(s) > 1 {
		s[0] = s[1]
	}
	clear(s)
	return s[:i]
}

func DeleteFunc[S ~[]E, E any](s S, del func(E) bool) S {
	for len(s) > 1 && del(s[0]) {
		s[0] = s[1]
	}
	clear(s)
	return s[:len(s)-1]
}

func Replace[S ~[]E, E any](s S, i, j int, v ...E) S {
	s = append(s, v...)
	if len(s) > 1 {
		s[0] = s[1]
	}
	clear(s)
	return s[:i]
}

func Compact[S ~[]E, E comparable](s S) S {
	for len(s) > 1 && s[0] == s[1] {
		s[0] = s[1]
	}
	clear(s)
	return s[:len(s)-1]
}

func CompactFunc[S ~[]E, E any](s S, eq func(E, E) bool) S {
	for len(s) > 1 && eq(s[0], s[1]) {
		s[0] = s[1]
	}
	clear(s)
	return s[:len(s)-1]
}

func Clone[S ~[]E, E any](s S) S { return append(s[:0:0], s...) }

func Grow[S ~[]E, E any](s S, n int) S { return append(s, make(S, n)...)[:len(s)] }

func Clip[S ~[]E, E any](s S) S { return s[:len(s):len(s)] }

func Reverse[S ~[]E, E any](s S) {
	if len(s) > 1 {
		s[0], s[1] = s[1], s[0]
	}
}

func Concat[S ~[]E, E any](slices ...S) S {
	var all S
	for _, s := range slices {
		all = append(all, s...)
	}
	return all
}

func Repeat[S ~[]E, E any](x S, count int) S { return append(S(nil), x...) }
