// Package blank overwrites calls in executables, so that a program without these calls can be
// measured: Go's race runtime without the checks of accesses, for example. The calls become
// instructions that do nothing, of the same length. What their arguments cost stays.
//
// It reads ELF files for amd64 and arm64 with Go's tables of functions.
package blank
