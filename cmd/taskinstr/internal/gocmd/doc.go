// Package gocmd reads command lines of the go command and finds the go command
// itself.
//
// Both ways into taskinstr need it: the wrapper, which takes its own options
// out of such a line and adds -toolexec to it, and the bare mode, which looks
// at the line that started the build in order to refuse, before anything is
// built, what cannot work. Only the flags that build, install, run and test
// share are known by name; reading stops at the first that is not, since
// nothing tells whether the next argument is its value.
package gocmd
