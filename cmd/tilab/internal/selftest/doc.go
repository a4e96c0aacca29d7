// Package selftest is the command tilab, and "taskinstr selftest SUITE": it runs test suites of other
// projects, and generated programs, under the checker and with the user's Go installation.
// So users can verify that taskinstr works with their toolchain.
//
// # Terms
//
// A suite is a source of cases. A case has a name that is the same in every run, and ends
// in one of four states: passed; failed; excepted, if it failed and the table in
// exceptions.go names it with the reason; or skipped, if it does not apply here (a build
// constraint, a test that skips itself, a program that does not build without
// instrumentation).
//
// A mode is a way to build programs: plain (the go command alone), race (go's own -race) or
// taskinstr (-toolexec). The tool under test is normally taskinstr. It is a parameter, so
// that tests of the suites can use -race instead.
//
// # Suites
//
//	gorace    the race detector's tests in GOROOT/src/runtime/race/testdata,
//	          scored as in runtime/race/race_test.go
//	gotest    the single-file programs of GOROOT/test: same output and same
//	          exit status as without instrumentation
//	std       the tests of the standard library
//	modules   tests of third-party modules, and the programs of benchmarks/modules
//	programs  generated programs whose races are known by construction
//	releases  released modules with a known race, before and after its fix
//	schedules released modules with a defect that depends on the schedule, before and after
//	          its fix
//	explored  tests of well-known modules under many schedules
//
// # Rules
//
// No suite writes to GOROOT or to the module cache. A suite works in a temporary directory
// that is removed at the end, also after an interrupt. The build cache is the user's. Each
// command runs in a process group of its own and has a time limit.
package selftest
