// Package fresh is the pass that removes the checks of first values: the values that
// literals and collected arguments give new memory, and the values of variables that no
// other task can know yet.
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
// Source: no paper; Go's own detector records such writes.
package fresh
