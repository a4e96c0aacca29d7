// Package executed reads the files in which programs count their executed checks by site.
//
// A program that is built with -stats=checks writes such a file at exit if its environment has
// TASKINSTR=checks=FILE (rt/files/runtime/checkcount.go describes the format). Each check of the
// file has the row of the site table that a report would show, its counters, and the reason why
// the build's plan left the check: the fate and, for a kept check, what each pass said.
//
// # Terms
//
// A check is executed each time that the program reaches it. It is lone if its task was alone then,
// which costs almost nothing. It is new if it began a new step for a word: the history of the
// accessed bytes had no record of the task's present step that is as strong. All other checks
// repeat an earlier one of their step and cost little.
//
// Two programs that are built from the same sources number their sites alike only if their plans
// agree, so a file names a site by its row: file, line, column and expression. Find joins these
// with the sites of another list, such as that of taskinstr lint.
//
// The first words of a reason are its class; details follow behind a colon or the word "at".
package executed
