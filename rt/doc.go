// Package rt holds the code that taskinstr links into the user's program: a detector inside
// package runtime, the hooks that feed it, and the reports.
//
// The files below files/ belong to no package of this module (their build tag is never
// set here). [Rewrite] adds them to the compilation of std packages. Some replace files of
// Go, the others join them:
//
//	files/runtime      joins package runtime, for every engine; hooks.go replaces race0.go
//	files/engine/NAME  joins it for the engines whose row in engines.go names the folder
//	files/race         replaces internal/race/norace.go
//	files/task         replaces events.go of taskinstr/rt/task, if a program imports it
//
// Packages of this module join package runtime as well: the detector, the schedules and the
// packages that they share (engines.go). Merging gives the package-level names of each a
// prefix of its own (merge.go), so the same text is an ordinary, tested package and a part
// of the runtime. patch.go lists the changes to the text of other std files. Each change
// must apply as often as its row says, or the build stops with an error that names it. This
// module contains no source text of Go.
package rt
