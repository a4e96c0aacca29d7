// Package measure is shared by the commands that measure: it finds the taskinstr command under
// test, and has the figures of processes.
package measure
