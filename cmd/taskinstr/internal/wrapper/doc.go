// Package wrapper carries out `taskinstr build|install|run|test`: it starts the go command
// with -toolexec set to this program. Other arguments and the exit code pass through.
//
// The wrapper does more than bare mode (package toolexec) can: it sets the build tag race,
// and it makes the choice of packages (-pkgs) and each package's plan (-passes) a part of
// that package's compiler flags, so that a change recompiles only the packages that it
// concerns.
//
// `taskinstr test` also prints a summary of the run's reports at its end. The reports come
// by a folder (TASKINSTR_REPORTS), and not through the go command's output: the go command
// drops the output of packages that pass, replays cached output, and cuts lines with -json.
// So its output and input are the wrapper's own files, and it prints what it prints
// without the wrapper. The wrapper waits as its parent and passes signals on.
//
// A cached result would have no reports in the folder. So a test binary that has made or
// withheld a report spoils the log of its inputs, without which the go command caches no
// result (tr_uncache in rt/files/runtime/folder.go). What is cached had no reports, and a
// change of the baseline or the suppressions cannot give it any. Bare mode has the same
// rule.
package wrapper
