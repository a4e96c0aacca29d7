// Package modules holds recipes of programs of real modules: well-known modules of
// others, at one version each, and what is run of them. The command benchmarks/compare
// measures detectors on these programs, and "taskinstr selftest modules" demands that
// they pass without a report. Nobody tunes a detector for them.
//
// # Terms
//
// A recipe names a module, its version and a program. The program is one of two:
//
//   - The tests of one package of the module, or some of them. They are built and run
//     in a copy of the module, for tests may write beside their files.
//   - A driver: a program of our own in testdata, named like the recipe, that puts a load
//     on the module. It is built in a temporary module that requires the pinned one.
//
// No file of another project is kept here. Modules come through the go command's proxy
// settings or out of its module cache, into a temporary folder.
//
// # What a program owes
//
// A program does the same work in every run, checks its own results and ends with status
// 0, or with another status if a result is wrong. It needs no network but the loopback
// device. Built plainly it takes 0.05 to 2 seconds of processor time on two cores. With
// -race it makes no report.
//
// A build with taskinstr must set the build tag race: modules choose files by that tag,
// and the program has to be the one that -race checks.
package modules
