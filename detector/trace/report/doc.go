// Package report writes the races that detectors find in a trace in the format of
// instrumented programs (docs/use/report-format.md): the same layout, the same keys and the
// same fingerprints. The trace supplies the places and the calling contexts.
//
// A detector names two accesses. A report adds the locks held at each and the origins of
// both tasks; [Gather] finds them in a second pass over the trace.
package report
