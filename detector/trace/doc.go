// Package trace stores executions in files: the events of package event with their places
// and calling contexts. An instrumented program writes such a file when it is run with
// TASKINSTR=trace=FILE (package rt). [Writer] writes one from ordinary Go. [Reader]
// streams the events of a file.
//
// # Terms
//
// A location is an address in the program's code: the function at the address, and the
// functions into which it is inlined. A stack is a calling context: a location and the
// stack of its caller. A place describes the source of an event: a location, or the call
// where the runtime acts for the program; the expression; its declaration. Events name
// places and stacks by number, see [Symbols].
//
// # Format
//
// A file is a sequence of blocks, each with a length, a checksum and a compressed payload
// (package wire; docs/design/trace-format.md lists the bytes). Each block begins with a fresh
// coding state for events; a definition holds until the end of the file. The file of a
// program that is killed can therefore be read up to its last whole block. A complete
// trace ends with a record of its own.
//
// # Raw events
//
// A raw event of a channel has more fields than package event requires: Addr is the
// channel, Size its capacity, and Value one of [ChanSend], [ChanReceive], [ChanClose] and
// [ChanReceiveClosed]. Obj alone determines the order that the event establishes. A Fork
// with Shared set has no known parent: no event precedes the child, and Task is 0. An
// Acquire of object 0 follows all earlier events of all tasks.
//
// The recorder does not store which operation made a raw event. [Reader] derives it from
// the functions of the event's stack and sets Use.
package trace
