// Package vettool is the preview (`taskinstr lint`) as an analysis.Analyzer, for
//
//	go vet -vettool=$(which taskinstr) ./...
//
// and for whatever else runs analyzers. Each checked access is a diagnostic that says
// what becomes of its check and why.
//
// An analyzer sees one package, and of the others only facts: here what each function
// may do to the order of tasks, and whether it touches memory that its caller knows
// (ssapass.Fact). So only passes run that need no more, and they remove less than in a
// build, which sees the whole program. Who imports the package is not known: whatever
// it declares may run in any task.
//
// Exit codes are those of go vet: 1 if there is anything to say.
package vettool
