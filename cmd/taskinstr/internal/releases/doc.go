// Package releases holds a race checker to races that happened: released versions of
// well-known modules with a data race, and the versions that fixed it.
//
// # Terms
//
// A release, in a file of testdata, is one race: a module, the version before the fix and
// the version after it, the words in which the project says so, and an exposing program,
// which runs into the race with the one version and must be silent with the other. The
// program is either a test that the project wrote with its fix, put beside the sources of
// both versions, or our own, which requires the module. A case is one of the two versions.
//
// No file of another project is kept here: modules come through the go command's proxy
// settings or out of its module cache when a case runs, into a temporary folder.
//
// # Verdicts
//
// A case is built with the tool under test and, where a C compiler is at hand, with go's
// own -race, and runs several times at several values of GOMAXPROCS. What is owed:
//
//   - The version before: at each GOMAXPROCS the tool reports the race in at least as many
//     runs as -race. A report counts if a stack of one of its accesses passes through the
//     files that the release names; a predicted race is shown, and does not count.
//   - The version after: no report, of a race or a predicted one, unless -race makes it
//     too, or the release holds a proof that the two places race. The program ends with
//     status 0, unless it fails with -race as well.
//
// Schedules decide whether some of the races can be seen at all. Exposing programs whose
// race hides in many schedules try it many times in a run; even so, three runs say little,
// and twenty are what the figures of this project are made of.
package releases
