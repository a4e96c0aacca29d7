// Package scope decides which packages of a build get checks: the packages that the
// patterns of the option -pkgs select, except those that never get checks.
//
// A pattern has two readings. In bare mode each tool call decides alone and knows little
// more than the import path of its package, so patterns for folders are converted to
// patterns for import paths (Selection). The wrapper passes the patterns to the go
// command, which compares folders (ByFolder). The readings differ where the nearest go.mod
// does not determine a package's import path, as in vendor folders and workspaces.
package scope
