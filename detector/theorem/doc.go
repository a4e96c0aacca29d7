// Package theorem names what a clean run of a detector proves. The verdict of a running
// program (TASKINSTR=verdict=1) and that of a detector on a trace (taskinstr detect) use
// these names and sentences.
//
// An operation of a run is what one of its tasks does in one step: an access, or one of
// synchronization. A choice is a place where another schedule may go on with other
// operations, as a select with several ready cases does. An order is outside of a
// detector's model if the detector does not know that it exists.
//
// rt merges this package's text into package runtime, so it imports nothing.
package theorem
