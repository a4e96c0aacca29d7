// Package planner makes the plans of a build in program scope: the decisions of the passes of
// package optimize about the packages that a go command line names, except those of the
// standard library. It stores them for the compiler's calls.
//
// A plan is a file below the go command's build cache, in taskinstr/plan. Its name is the
// digest of its text. The wrapper passes the digest to each package's compilation, so
// that the go command does not compile a package again whose decisions have not changed.
// For each command line, taskinstr/index has the digests of the plans, with the sizes,
// times and digests of all source files. So the plans of an unchanged program cost a few
// hundred calls of stat.
package planner
