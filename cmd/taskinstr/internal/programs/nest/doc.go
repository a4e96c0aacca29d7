// Package nest writes random Go programs with loops, calls and tasks at every depth,
// and knows which bytes race in each.
//
// # Terms
//
// A case is one function with the variables that its tasks share: numbers, structs,
// arrays, slices, slices of slices, flat arrays behind methods, views of these and
// pointers into them. An object is memory that one of them names; a program prints where
// its objects lie. The body of a case consists of loops of all forms (nested,
// triangular, with break, continue, return and panics), conditions, closures, functions
// that may call themselves, go statements anywhere, WaitGroups, channels, locks and
// flags.
//
// # Truth
//
// A case is a tree of statements that can be written as Go text and can be run by this
// package. What a program does depends on nothing but the tree: no value that is read
// from shared memory decides anything, each channel has one sender and one receiver,
// and nothing blocks while a lock is held. So one run tells which accesses, byte by
// byte, any run makes, and how fork, join, messages, closes and flags order them.
//
// A byte certainly races if two accesses of it, one of them a write, are not ordered
// by these, hold no common lock, and no order of the critical sections could order
// them. It may race if critical sections could. A report must be about bytes that
// may race, and each byte that certainly races must be reported, however the
// program was compiled.
package nest
