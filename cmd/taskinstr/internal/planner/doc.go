// Package planner makes the plans of a build: what the passes of package optimize
// decide about the packages that a go command line names, stored where the
// compiler's calls find it.
//
// A plan lies below the go command's build cache, in taskinstr/plan, under the
// digest of its text, which the wrapper hands to each package's compilation: a
// package whose decisions have not changed is not compiled again. What was planned
// for a command line is remembered in taskinstr/index with the sizes, times and
// digests of all source files, so that an unchanged program costs a few hundred
// calls of stat.
package planner
