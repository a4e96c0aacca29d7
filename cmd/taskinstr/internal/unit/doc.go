// Package unit plans one package by itself: package scope, as against the whole program
// that package planner analyses.
//
// A build in package scope runs the passes while it compiles a package. Of the
// package's imports it has what the compiler has, their archives: types from the export
// data, and facts of functions from a member that the build of the import left there
// (Member, ssapass.Facts). Everything else is external code. So a plan is a function of
// the compiler's inputs: it needs no store of its own, and go's build cache keeps it
// together with the object code.
//
// An archive without facts (a package that gets no checks, or one that another tool
// compiled), or with facts of another format, is external code as well. It is no
// error: checks stay.
//
// `taskinstr lint` calls Make with the same inputs, so that its answers are the
// build's.
package unit
