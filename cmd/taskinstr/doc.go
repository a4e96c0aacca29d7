// Taskinstr finds data races in Go programs, with a detector in pure Go.
//
//	go build -toolexec=taskinstr ./...
//	taskinstr test ./...
//
// See `taskinstr help`. Package cli reads the arguments, package toolexec runs in place of
// the go command's tools, package wrapper starts the go command, package laboratory starts
// the command tilab, which runs test suites.
package main
