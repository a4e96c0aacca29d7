// Package fresh is the pass that removes the checks of first values: the values that
// literals and collected arguments give new memory, the values of variables that no
// other task can know yet, and elements that are appended behind the only header of an array.
//
// An access of another task that is not ordered after the first value has read the
// pointer to the memory from somewhere. That read is not ordered after the store of the
// pointer either. So there are two races, and one of them, the race on the pointer, is
// still reported.
//
// The pass needs, for every access of the site, that each store which publishes the
// memory has a check (ssapass.Unchecked is false). Code outside the program, functions
// marked go:norace, and packages that -pkgs leaves out have none. In package scope, other
// packages count as checked unless -pkgs leaves some out.
//
// Elements that an append writes behind the length of a strings.Builder are first values,
// too: other tasks reach them by the header of the slice alone, or by a string (ssapass.Behind).
// Whoever reaches them has read the header, or the pointer of the string, after the append
// has stored the new header. If nothing orders that read and the append, then nothing orders the read
// and the store, and the race on the header or on the pointer is reported. This needs that all
// packages have checks.
//
// Source: no paper; Go's own detector records such writes.
package fresh
