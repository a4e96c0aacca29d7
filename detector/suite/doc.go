// Package suite runs detectors on traces, one or several for comparison.
//
// [Table] lists the detectors. [Run] tells each of them the events of a trace: as they
// were recorded to those that understand raw events, otherwise with the structured
// events that package structure finds, and in depth-first order where a detector is
// serial. It measures time and memory of each, counts the events that lie outside of
// the detector's model, and says what a clean run has proved.
//
// A clean run proves the detector's theorem only if nothing was outside of its model.
// What was outside is named by kind, with positions.
package suite
