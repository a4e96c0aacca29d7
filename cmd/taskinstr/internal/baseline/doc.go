// Package baseline reads and writes the file of known reports (`taskinstr test
// -baseline=FILE`, TASKINSTR=baseline=FILE).
//
// A report whose fingerprint has an entry fails nothing and is only counted. Each entry is
// one line, and the lines are sorted, so that git merges entries of several branches:
//
//	69a44dc134d58d48 until=2027-03-31 reason="filled at start, issue 12" # race: write of …
//
// The line begins with the fingerprint. until is the last day (in UTC) on which the entry
// counts; without it the entry counts for ever. The text behind # says what races. Lines
// that begin with # are comments; they stay above the entry that follows them.
//
// Running programs read the fingerprint and the day alone
// (rt/files/runtime/baseline.go). An update keeps existing lines as they are.
package baseline
