// Package wire encodes traces: the records of a block, their compression and their
// checksum. docs/design/trace-format.md describes the bytes.
//
// rt merges the text of this package into package runtime, where the recorder runs;
// package trace uses it for traces that ordinary Go writes. It obeys the runtime's rules:
// it allocates nothing, imports nothing, and writes only into memory that its caller
// provides. Package trace decodes the blocks.
package wire
