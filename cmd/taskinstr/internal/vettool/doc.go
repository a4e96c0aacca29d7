// Package vettool is `taskinstr lint` as an analysis.Analyzer, for
//
//	go vet -vettool=$(which taskinstr) ./...
//
// and for other programs that run analyzers. Each checked access has a diagnostic with
// the fate of its check and the reason.
//
// An analyzer sees one package, and only facts of the other packages (ssapass.Fact). Only
// passes run that need no more than that, as in a build in package scope. The importers of
// the package are unknown, so any task may call its functions.
//
// Exit codes are as for go vet: 1 if there is a diagnostic.
package vettool
