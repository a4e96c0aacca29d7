// Package releases tests a race checker on defects of released software: versions of
// well-known modules with a data race or a defect that depends on the schedule, and the versions that fixed it.
//
// # Terms
//
// A release is one defect, described in a file of testdata/races or testdata/schedules: a module, the version
// before the fix and the version after it, the project's own statement of the fix, and an exposing
// program. The exposing program of a race has the race with the version before, and must have no
// report with the version after. It is either a test that the project wrote with its fix,
// copied beside the sources of both versions, or a program of ours that requires the
// module. A case is one of the two versions.
//
// No file of another project is kept here. When a case runs, the go command provides the
// module, from its proxy or its module cache, in a temporary folder.
//
// # Verdicts
//
// A case is built with the tool under test and, if there is a C compiler, with go's own
// -race. It runs several times at several values of GOMAXPROCS. The requirements are:
//
//   - Version before: at each GOMAXPROCS the tool reports the race in at least as many
//     runs as -race. A report counts if a stack of one of its accesses passes through the
//     files that the release names. A predicted race is shown, but does not count.
//   - Version after: there is no report of a race or predicted race, unless -race reports it
//     too or the release holds a proof that the two places race. The program ends with
//     status 0, unless it fails with -race as well.
//
// Some races show in few schedules only. Their exposing programs repeat the operations many
// times in a run. Even so, three runs are little evidence; the published figures come
// from twenty.
//
// # Schedules
//
// The exposing program of testdata/schedules is a test that uses the module in an obvious way: a
// pool of workers with more tasks than workers, a pool that is closed while it is used. It waits for no special
// moment, so an ordinary run seldom shows the defect. taskinstr test -explore runs it under many schedules:
//
//   - Version before: a schedule shows a finding of the release's kind whose text names the release's files.
//   - Version after: no schedule shows a finding, a predicted race apart.
//
// The same test runs without schedules under -race for comparison. A run counts if it shows a defect of the
// release's kind.
package releases
