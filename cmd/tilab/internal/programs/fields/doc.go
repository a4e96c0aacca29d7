// Package fields writes random Go programs whose structs have a field that mostly no more than a constructor or atomic operations write, and
// compares their reports with the races that they have.
//
// A case has a type of its own, in the main package or in a library. Two tasks know an object of it. One reads the field, plainly or
// atomically. The other one may write it, before it starts the reader, beside it, or after it: the field or the whole object, in one of the ways of
// ways.go, plainly or atomically. So the case has a race if it writes beside the reader, unless both are atomic.
package fields
