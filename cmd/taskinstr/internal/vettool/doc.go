// Package vettool is `taskinstr lint` as an analysis.Analyzer, for
//
//	go vet -vettool=$(which taskinstr) ./...
//
// and for other programs that run analyzers. Each checked access has a diagnostic with
// the fate of its check and the reason.
//
// An analyzer sees one package, and only facts of the other packages. A fact gives the
// possible effects of a function on the order of tasks, and whether the function accesses
// memory that its caller knows (ssapass.Fact). Only passes run that need no more than
// that, so they remove fewer checks than a build, which sees the whole program. The
// importers of the package are unknown, so any task may call its functions.
//
// Exit codes are as for go vet: 1 if there is a diagnostic.
package vettool
