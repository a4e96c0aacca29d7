// Package lanes draws a schedule as text: a column for each goroutine, a line for each step in
// the user's code, from top to bottom in the order in which they ran. It reads the trace of a run
// under the schedule.
package lanes
