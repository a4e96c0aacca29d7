// Package scope tells which packages of a build get checks: those that the patterns
// of the option -pkgs select, less those that never get any.
//
// There are two readings of a pattern. In bare mode each tool call decides alone
// and knows little more than the import path of its package, so patterns for folders
// become patterns for import paths (Selection). The wrapper hands the patterns to
// the go command, which reads them for itself and compares folders (ByFolder). They
// differ where the nearest go.mod does not tell a package's import path, as in
// vendor folders and workspaces.
package scope
