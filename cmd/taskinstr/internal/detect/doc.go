// Package detect is "taskinstr detect": it runs detectors on a trace, reports the races
// that they find in the form of an instrumented program's reports, and compares the detectors in
// a table.
package detect
