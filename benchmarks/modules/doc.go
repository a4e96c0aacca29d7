// Package modules holds recipes of programs of real modules: well-known modules by
// others, at one version each, with the work to be run on them. The command
// benchmarks/compare measures detectors on these programs, and "taskinstr selftest
// modules" demands that they pass without a report. The detector is not tuned for them.
//
// # Terms
//
// A recipe names a module, its version and a program. There are two kinds of programs:
//
//   - The tests of one package of the module, or some of them. They are built and run in a
//     copy of the module, because tests may write beside their files.
//   - A driver: a program of our own in testdata, named like the recipe, that puts a load on
//     the module. It is built in a temporary module that requires the pinned one, with the
//     functions in testdata/shared.
//
// Recipes of kind Codecs spend their time in the module's loops over bytes, pixels,
// samples or vectors. Build tags select Go code where the module has assembly as well. Their
// programs divide the work among two to four goroutines, since the checks of a task that
// runs alone cost almost nothing.
//
// This folder contains no file of another project. Modules come through the go command's
// proxy settings, or from its module cache, into a temporary folder.
//
// # Requirements on a program
//
// A program does the same work in every run, checks its own results, and ends with status
// 0 if they are right. It needs no network but the loopback device. Built plainly, it
// takes 0.02 to 2 seconds of processor time on two cores. With -race it makes no report.
//
// A build with taskinstr must set the build tag race: modules select files by that tag,
// and the program must be the one that -race checks.
package modules
