// Package programs builds the programs of testdata, runs their cases and
// compares the reports with the expectations written beside the code.
//
// # Terms
//
// A program is one main package or one test package. It holds many cases, so
// that one build serves hundreds of runs:
//
//   - in a main package a case is a method of one of the empty types racy and
//     fixed, and its name is "racy/Method" or "fixed/Method"; the program runs
//     the cases named by its arguments; a method that takes a number stands for
//     the cases "racy/Method(2)" to "racy/Method(21)" when the directive
//     //case:range 2..21 stands above it;
//   - in testdata/ptracer the types are racy, predicted, branchFeasible, branchInfeasible
//     and clean: the receiver is the case's label, and stands in its name
//     ("branch-feasible/Method");
//   - in a test package a case is a Test function.
//
// # Expectations
//
// An expectation is a comment at the end of a line of the case:
//
//	total++ // want race: total
//
// Its form is
//
//	want [(CASE)] TIER [LABEL] [nostock]: EXPRESSION
//
// TIER is race or predicted; feasible, infeasible and commuting mark races that
// other detectors name and that may not be reported here. CASE names the case when the line stands outside
// of its method, in a helper. Lines of one case with the same tier and label
// (a number, none by default) form a group: their accesses touch the same
// memory. A group of one line is a race of that line with itself, a group of
// two lines is the race of these two. With the plural, races, any two accesses
// of the group may race, two of one line included, and at least two must be
// reported. A line may carry several expectations. A report outside of every
// group is a false report.
// EXPRESSION is the source expression that taskinstr must name for the access, - where the
// source has none (the result that a return statement sets, a channel).
//
// nostock marks what go build -race is known to miss, always or sometimes, or
// to report with one of the two places wrong; it is not required in that mode. Predicted races are never
// expected of go build -race. A case below the directive //case:nostock is not run in
// that mode: go build -race reports what cannot happen.
//
// A case is right when the reported groups are as expected, the tiers agree
// and the exit code is 66 exactly if a race is expected.
package programs
