// Package report writes the races that detectors find in a trace as instrumented
// programs write theirs (docs/report-format.md): the same layout, the same keys and the
// same fingerprints, from what the trace knows of places and calling contexts.
//
// A detector names two accesses. What a report says beside that, the locks that were
// held and where the tasks were made, [Gather] finds by reading the trace again.
package report
