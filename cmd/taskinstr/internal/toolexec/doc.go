// Package toolexec is the command's bare mode: the program that `go build
// -toolexec=taskinstr` runs in place of each tool.
//
// The go command puts the program named by -toolexec in front of every tool
// call: compile, asm, link, cgo, cover, vet, pack. Most calls run unchanged. The
// exceptions are:
//
//   - `compile -V=full` and `link -V=full`, from which the go command takes the
//     tool's identity for its build cache: the answer includes this program and the
//     options that change the tool's output (version.go).
//   - `compile` of a package: its files are replaced (compile.go). For a few
//     packages of the standard library the replacement comes from package rt
//     (the detector and its hooks), for all others from package splice, which
//     needs the package type-checked: the files come from the compile call, the
//     imports from the export data that its -importcfg lists (typecheck.go).
//   - `asm` under the build tag race (racetag.go).
//   - `link` of a program: build settings are added (link.go).
//
// Rewritten files lie beside the object file in the action's own directory
// below $WORK, which the go command removes, strips from recorded paths and
// never shares. A successful call prints nothing of its own, since the go command
// caches and replays a tool's output.
//
// Errors follow one rule. If the user's code does not compile, the compiler gets
// the code as the user wrote it, so that the messages are the compiler's own. If the
// code compiles only without the checks, that is a defect of this program: the message
// says so, and the build stops. If the code compiles with every check, only the plan is
// defective: the package gets every check, a line says so, and the build goes on
// (output.unplanned). Nothing that may differ between runs decides about that: no time limit
// and no compiler that was killed.
package toolexec
