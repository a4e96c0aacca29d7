// Package option has a type.
package option

// An Option is one.
type Option interface{ Apply() }
