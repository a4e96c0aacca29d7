// Package wire encodes traces: the records of one block, their compression and their
// checksum. docs/trace-format.md describes the bytes.
//
// rt merges this package's text into package runtime, where the recorder runs, and
// package trace uses it for traces that ordinary Go writes. So it obeys the runtime's
// rules: it allocates nothing, imports nothing, and writes into memory that its
// caller gives it. Reading is package trace's own business.
package wire
