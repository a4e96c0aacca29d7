// Package race has the words in which engines and their host speak of accesses and races: the kinds of
// accesses, the answers to a probe, and reports. Packages parallel and serial have them as names of their own, too
// (parallel.Report), and keep the pairs of places that they have reported in a Table.
//
// rt merges this package's text into package runtime.
package race
