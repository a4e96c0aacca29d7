// Package trace keeps executions in files: the events of package event with the places
// and calling contexts that they speak of. An instrumented program writes such a file
// with TASKINSTR=trace=FILE (package rt), [Writer] does the same in ordinary Go, and
// [Reader] streams the events of either.
//
// # Terms
//
// A location is an address in the program's code: the functions there, inlined calls
// expanded. A stack is a calling context: a location and the stack of its caller. A
// place is what an event is about in the source: a location or, where the runtime acts
// for the program, the call; the expression there; what is declared. Events name
// places and stacks by number, see [Symbols].
//
// # Format
//
// A file is a sequence of blocks, each with a length, a checksum and a compressed
// payload (package wire; docs/trace-format.md has the bytes). The coding of events
// starts anew with each block; definitions hold for the whole rest of the file. So a
// program that is killed leaves a file whose events can be read up to its last whole
// block. The last record of a complete trace says so.
//
// # Raw events
//
// Beside what package event says, a raw event of a channel has the channel's address
// as Addr, its capacity as Size, and one of [ChanSend], [ChanReceive], [ChanClose] and
// [ChanReceiveClosed] as Value: what they order is told by Obj, but what they are by
// these. A Fork with Shared set has no parent that is known: nothing precedes the
// child, and Task is 0. An Acquire of object 0 comes after all that was done before.
//
// The recorder does not say which operation made a raw event: [Reader] finds out from
// the functions of its stack, and fills in Use.
package trace
