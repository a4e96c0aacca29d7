// Package excerpt finds accesses in the text of source files: the line of a position, and
// the extent of the expression that begins there.
package excerpt
