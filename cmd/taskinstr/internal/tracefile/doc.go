// Package tracefile is "taskinstr trace": what is in a trace, as figures, as text, and as
// a picture of its task structure.
package tracefile
