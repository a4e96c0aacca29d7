// Taskinstr finds data races in Go programs, with a detector in pure Go.
//
//	go build -toolexec=taskinstr ./...
//	taskinstr test ./...
//
// See `taskinstr help`. The command is thin: package cli tells what is asked
// for, package toolexec stands in for the go command's tools, package wrapper
// drives the go command, package selftest runs test suites.
package main
