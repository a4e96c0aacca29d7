// Package suite is "taskinstr test -explore": it runs each test of a suite under many schedules
// and reports what any of them has shown.
//
// target.go builds the test binaries, once, and lists their tests. plan.go decides which test
// gets the next batch of schedules, and when a test has had enough; coverage.go has the
// estimate on which that rests, and bound.go the strategies for which the estimate is not enough.
// session.go runs the batches in parallel processes (package local). shrink.go looks for a shorter schedule of a finding, and confirm.go for a schedule in
// which a predicted race happens. output.go prints the result.
//
// # The rule by which a test stops
//
// Two schedules with the same happens-before graph show the same behaviour. The probability
// that the next schedule has a graph that none had before is about the share of the
// graphs that were seen exactly once (I. J. Good, The Population Frequencies of Species and the
// Estimation of Population Parameters, Biometrika 1953). One minus that number is the coverage.
// A test stops before the given number of schedules if coverage.go's conditions hold.
package suite
