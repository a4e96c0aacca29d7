// Package golangci is `taskinstr lint` as a module plugin of golangci-lint: a program that
// imports it, as `golangci-lint custom` builds one, has the linter "taskinstr".
//
// The linter is the analyzer of `go vet -vettool=taskinstr` (package vettool). Its settings are
// kept, removed and passes, with the meaning of that tool's flags; by default only accesses
// whose check is kept are reported. Files for it are in examples/ci/golangci.
//
// Package register is all that the plugin needs of golangci-lint, whose own licence (GPL) does
// not apply to it.
package golangci
