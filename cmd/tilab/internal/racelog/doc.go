// Package racelog reads the reports of race detectors, in the layout of go's own detector, which
// taskinstr uses too.
package racelog
