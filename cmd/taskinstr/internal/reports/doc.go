// Package reports reads the reports that programs have written as JSON
// (docs/report-format.md), merges those with the same fingerprint, and prints them:
// `taskinstr report`, and the summary of `taskinstr test`.
package reports
