// Package bench implements "taskinstr bench PACKAGES": it measures the cost of race
// checking in the Go benchmarks of any module, and the gain of each static optimization.
//
// # Terms
//
// A mode is a way to build the test binaries: plain, race (go's own detector), none
// (taskinstr without passes), package and program (all passes in that scope), and, in the
// scope of the option -scope, NAME (that pass alone), no-NAME (all passes except that one),
// all. A benchmark is a leaf: a benchmark with sub-benchmarks is replaced by them. A
// run is one process that executes one benchmark.
//
// # Method
//
// A run of the plain binaries finds the benchmarks, and for each the number of iterations
// that fill the requested time. Every mode then executes the same number, so that
// processor times and peak memory of whole processes are comparable. The modes take turns,
// and each round begins with another mode, so that a change of the machine's load affects
// all of them. Figures are medians of the runs, a ratio is the ratio of two medians, and a
// mean of ratios is geometric.
//
// By default the packages of the standard library keep all passes in every mode with checks
// (option.Set.Own), so that they are compiled once, in the user's build cache.
//
// Checks are counted in one more run of each checked mode, of a tenth of the iterations,
// with binaries that are built for this purpose (-stats=checks). No timed run counts
// checks.
//
// With -builds the binaries are built in a build cache of their own that initially holds the
// standard library alone, so that compile times are comparable, too. They cover the analysis,
// the compilation of the module's packages and their imports, and linking. In program scope one
// analysis of a test binary serves all modes, and its time is a part of each mode's.
//
// The runs are kept in a file (state.go) from which -resume continues.
//
// Package benchmath of golang.org/x/perf computes medians and their intervals. What a pass
// changes is the geometric mean of ratios, with the interval of a bootstrap (effect.go).
//
// If the plain runs of a benchmark differ by more than a tenth of their median, the machine
// was too noisy for small differences, and the output says so.
package bench
