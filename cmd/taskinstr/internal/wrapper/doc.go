// Package wrapper is the command's other way in: `taskinstr build|install|run|
// test` starts the go command with -toolexec set to this program and passes
// everything else on, exit code included.
package wrapper
