// Package toolexec is the command's bare mode: what `go build
// -toolexec=taskinstr` runs in place of each tool.
//
// The go command puts the program named by -toolexec in front of every tool
// call: compile, asm, link, cgo, cover, vet, pack. Here all of them run as they
// are, except two:
//
//   - `compile -V=full`, from which the go command takes the compiler's identity
//     for its build cache: what changes the code that comes out (this program
//     and its options) is appended, see version.go.
//   - `compile` of a package: its files are replaced, see compile.go. For a few
//     packages of the standard library the replacement comes from package rt
//     (the detector and its hooks), for all others from package splice, which
//     needs the package type-checked: the files come from the compile call, the
//     imports from the export data that its -importcfg lists (check.go).
//
// Rewritten files lie beside the object file in the action's own directory
// below $WORK, which the go command removes, strips from recorded paths and
// never shares. Success prints nothing, since the go command caches and replays
// what a tool prints.
//
// Errors keep one rule: code that does not compile is shown to the compiler as
// the user wrote it, so that the messages are the compiler's own; code that
// compiles only without the checks is a defect of this program, is said to be
// one, and stops the build.
package toolexec
