// Package excerpt finds accesses in the text of source files: the line of a position, the
// extent of the expression that begins there, and the name of the file in a repository.
package excerpt
