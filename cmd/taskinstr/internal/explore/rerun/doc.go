// Package rerun is "taskinstr replay": it runs the schedule of a finding again, with the test
// binary that stands beside the schedule or one that it builds.
package rerun
