// Package theorem names the statements that a clean run of a detector proves. The verdict of a
// running program (TASKINSTR=verdict=1) and the verdict of a detector on a trace (taskinstr
// detect) use these names and sentences.
//
// An operation of a run is an access or a synchronization of one of its tasks. A choice is a
// place where another schedule may continue with other operations, as a select with several
// ready cases does. An order is outside of a detector's model if the detector does not know that
// the order exists.
//
// rt merges this package's text into package runtime, so it imports nothing.
package theorem
