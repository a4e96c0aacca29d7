// Package gocmd reads command lines of the go command and finds the go command
// itself.
//
// The wrapper takes its own options out of such a line and adds -toolexec. The bare mode
// reads the line that started the build, in order to refuse unsupported builds before
// anything is built. Only the flags of build, install, run and test are known by name.
// Reading stops at the first unknown flag, since its value may be the next argument.
package gocmd
