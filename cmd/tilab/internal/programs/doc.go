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
//     the cases named by its arguments; a method that takes a number, below the
//     directive //case:range 2..21, defines the cases "racy/Method(2)" to
//     "racy/Method(21)";
//   - in testdata/ptracer the types are racy, predicted, branchFeasible, branchInfeasible
//     and clean: the receiver is the case's label, which is a part of its name
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
// other detectors name and that must not be reported here. CASE names the case if the line
// is outside of its method, in a helper. Lines of one case with the same tier and label
// (a number, none by default) form a group: their accesses touch the same
// memory. A group of one line is a race of that line with itself, a group of
// two lines is the race of these two. With the plural, races, any two accesses
// of the group may race, also two of one line, and at least two must be
// reported. A line may carry several expectations. A report outside of every
// group is a false report.
//
// EXPRESSION is the source expression that taskinstr must name for the access. It is - if
// the source has none (the result that a return statement sets, a channel).
//
// nostock marks a race that go build -race misses, always or sometimes, or reports with
// one of the two places wrong; it is not required in that mode. Predicted races are never
// expected of go build -race. A case below the directive //case:nostock is not run in
// that mode, since go build -race reports a race there that cannot happen. A case below
// //case:noschedule is not run under a schedule, which orders more (docs/use/limitations.md).
//
// A case passes if the reported groups are as expected, the tiers agree and the exit code
// is 66 exactly if a race is expected.
package programs
