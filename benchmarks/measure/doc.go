// Package measure has what the commands that measure have in common: the taskinstr command under
// test, the figures of processes, and the head of a data file.
package measure
