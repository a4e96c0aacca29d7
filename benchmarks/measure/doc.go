// Package measure has what the commands that measure have in common: the taskinstr command under
// test, and the figures of processes.
package measure
