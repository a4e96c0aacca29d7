// Package suite runs detectors on traces, one detector or several for comparison.
//
// [Table] lists the detectors. [Run] passes the events of a trace to each of them: the
// recorded events to a detector that understands raw events, and otherwise the structured
// events that package structure finds, in depth-first order for a serial detector. It
// measures the time and memory of each detector, counts the events outside of its model,
// and determines the theorem that a clean run proves.
//
// A clean run proves the detector's theorem only if its model covers all events of the
// trace. The result lists the other events by kind and position.
package suite
