// Tilab is the laboratory of taskinstr: it runs test suites of other projects and generated
// programs under the checker, and compares the checks with those of the compiler.
//
//	go run ./cmd/tilab gorace
//	go run ./cmd/tilab accesses std
//
// See `tilab -h`. "taskinstr selftest SUITE" runs the same.
package main

import (
	"os"

	"taskinstr/cmd/tilab/internal/selftest"
)

func main() {
	os.Exit(selftest.Main(os.Args[1:], os.Stdout, os.Stderr))
}
