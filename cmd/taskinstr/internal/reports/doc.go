// Package reports reads the reports that programs have written as JSON
// (docs/use/report-format.md), merges those with the same fingerprint, and prints them:
// `taskinstr report`, and the summary of `taskinstr test`.
//
// A Set is the model from which all formats are made. One file per format: text.go, sarif.go,
// github.go, gitlab.go, junit.go. Those that point into a repository name files relative to
// its folder (place.go).
package reports
