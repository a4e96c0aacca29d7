// Package race has the words in which engines and their host speak of accesses and races: the kinds of
// accesses, the answers to a probe, and reports. All engines have them under their own names, too
// (parallel.Report), and keep the pairs of places that they have reported in a Table.
//
// rt merges this package's text into package runtime.
package race
