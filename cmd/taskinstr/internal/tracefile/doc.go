// Package tracefile implements "taskinstr trace": it prints the contents of a trace as
// figures, as text, and as a picture of its task structure.
package tracefile
