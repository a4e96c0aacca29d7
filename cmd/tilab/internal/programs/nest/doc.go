// Package nest writes random Go programs with loops, calls and tasks at every depth, and
// computes which bytes race in each.
//
// # Terms
//
// A case is one function with the variables that its tasks share: numbers, structs,
// arrays, slices, slices of slices, flat arrays behind methods, views of these and
// pointers into them. An object is a piece of memory of such a variable; a program prints
// the addresses of its objects. The body of a case consists of loops of all forms (nested,
// triangular, with break, continue, return and panics), conditions, closures, functions
// that may call themselves, go statements anywhere, WaitGroups, channels, locks and
// flags.
//
// # Truth
//
// A case is a tree of statements that can be written as Go text and can be interpreted by
// this package. The tree alone determines the accesses of a program: no condition or index
// depends on a value that is read from shared memory, each channel has one sender and one
// receiver, and no task blocks while it holds a lock. So every run makes the same accesses,
// byte by byte, as the interpreted one, and fork, join, messages, closes and flags order
// them in the same way.
//
// A byte certainly races if two of its accesses, one of them a write, are not ordered by
// these events, hold no common lock, and no order of the critical sections could order
// them. It may race if critical sections could order the accesses. A report must be about
// bytes that may race, and each byte that certainly races must be reported, for all choices
// of passes.
package nest
