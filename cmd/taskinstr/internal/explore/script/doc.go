// Package script has small parallel programs as texts, so that one program can be run as a
// model and as a real one, and both be compared.
//
//	a(w0=1 s(l1)) ?0=0( s(w1=2) ) l1
//
// A program is a list of statements, and its tasks share a few integers:
//
//	a(...)      a task that executes the list
//	f(...)      the list, and the end of all tasks that were made in it
//	s(...)      the list in an isolated section
//	lN          integer N is read
//	wN=X        X is written to it
//	?N=X(...)   the list, if integer N is not X
//
// Tasks are made outside of sections alone.
package script
