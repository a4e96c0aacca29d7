// Package rt is what taskinstr links into the user's program: the engine of
// package detector inside package runtime, the hooks that feed it, and the
// reports.
//
// The files below files/ are no packages of this module (their build tag is
// never set here). [Rewrite] adds them to the compilation of std packages in
// place of, or beside, Go's own files:
//
//	files/runtime  joins package runtime; hooks.go replaces race0.go
//	files/race     replaces internal/race/norace.go
//	files/task     replaces events.go of taskinstr/rt/task, if a program imports it
//
// and [detector.Source] and [schedule.Source] join package runtime as well, their
// package-level names prefixed with ti_ and sc_ (merge.go), so that one text is both an
// ordinary tested package and a part of the runtime. Changes to the text of other std files are
// small and listed in patch.go; each must apply exactly as often as it says, or
// the build stops with an error that names it. None of Go's own source text is
// kept here.
package rt
