// Publish gives the module another path, in all files of the repository:
//
//	go run ./cmd/publish -module=example.org/you/taskinstr
//
// The module's own path has no dot, so `go get` and `go install` cannot fetch it: a module
// that others import needs the path of the place where it is. The command rewrites the line
// of go.mod, the import paths, and the paths in texts, scripts and constants, in the folder
// where it runs. It changes nothing else, and a second call changes the path again.
package main
