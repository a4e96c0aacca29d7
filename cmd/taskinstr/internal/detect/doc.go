// Package detect is "taskinstr detect": it runs detectors on a trace, reports the races
// that they find as an instrumented program does, and compares the detectors in a table.
package detect
