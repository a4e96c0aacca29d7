// Package selftest implements "taskinstr selftest SUITE": it measures the
// checker against test suites that others wrote, with the Go installation of
// the user, so that anyone can see whether taskinstr works with the toolchain
// at hand.
//
// # Terms
//
// A suite is a source of cases. A case has a name that stays the same from one
// run to the next, and ends in one of four states: passed; failed; excepted,
// when it failed and the table in exceptions.go names it with the reason; or
// skipped, when it does not apply here (a build constraint, a test that skips
// itself, a program that does not even build without instrumentation).
//
// A mode says how programs are built: plain (the go command alone), race
// (go's own -race) or taskinstr (-toolexec). The tool under test is normally
// taskinstr; that it is a value lets the suites themselves be tried with -race
// in its place.
//
// # Suites
//
//	gorace    the race detector's tests in GOROOT/src/runtime/race/testdata,
//	          scored as runtime/race/race_test.go does
//	gotest    the single-file programs of GOROOT/test: same output and same
//	          exit status as uninstrumented
//	std       the tests of the standard library
//	modules   tests of third-party modules, and the programs of benchmarks/modules
//	programs  generated programs whose races are known by construction
//	releases  released modules with a known race, before and after its fix
//
// # Rules
//
// Nothing is written to GOROOT or to the module cache: every suite works in a
// temporary directory that is removed at the end, also after an interrupt. The
// build cache is the user's own. Each command runs in a process group of its
// own and within a time limit.
package selftest
