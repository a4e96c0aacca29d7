// Package bench implements "taskinstr bench PACKAGES": what checking for races
// costs the Go benchmarks of any module, and what each static optimization saves.
//
// # Terms
//
// A mode says how the test binaries are built: plain, race (go's own detector),
// none (taskinstr without passes), NAME (that pass alone), no-NAME (all passes
// but that one), all. A benchmark is a leaf: a sub-benchmark where there are
// some. A run is one process that executes one benchmark.
//
// # Method
//
// A first pass over the plain binaries finds the benchmarks and how many
// iterations of each take the time asked for. Every mode then executes the same
// number, so that processor time and peak memory of whole processes compare. The
// modes take turns, each round beginning with another one, so that a change of
// the machine's load meets all of them. Figures are medians of the runs; a ratio
// is that of two medians, and a mean of ratios is geometric.
//
// Checks are counted in one more run of each checked mode, of a tenth of the
// iterations, with binaries that are built for that (-stats=checks): nothing that is
// timed counts.
//
// The binaries are built from scratch in a build cache of their own that holds
// the standard library and nothing else, so that compile times compare, too: they
// are those of the module's packages and what it imports, of the analysis, and of
// linking.
//
// Where the plain runs of a benchmark differ by more than a tenth of their
// median, the machine was too noisy to tell small differences, and the output
// says so.
package bench
