// Package golist has packages as the go command lists them, with their syntax and types, and with the
// arguments that the compiler takes for them. The audit of accesses and the tests of package splice
// read and compile packages with it.
package golist
