// Package pointsto computes what the pointers of a whole program may point to.
//
// # Terms
//
// An object stands for all memory that one instruction allocates, for one
// package-level variable, or for one function. It has a row of cells: one for
// each scalar, after one for each struct or array around it, so that the address
// of a struct differs from that of its first field. All elements of an array,
// all keys and all values of a map, all elements of a channel are one. A slice
// points to the cell of an array; its elements are behind it. An interface
// points to what the pointer in it points to, and to a box for any other value.
//
// Code not seen is what has no body. An object escapes when such code may know
// its address; a pointer is unknown when it may come from such code, and then
// may point to any object that escaped.
//
// # Algorithm
//
// Inclusion-based (Andersen 1994), field-sensitive as in Pearce, Kelly and
// Hankin (2007), with difference propagation and cycles of copies united from
// time to time. Unknown pointers and escaped objects are one bit each instead of
// sets: what an escaped object holds escapes, and is unknown; escaped objects are
// left out of the sets of unknown pointers. Type assertions and conversions from
// unsafe.Pointer filter by type; a conversion to a type that the cell does not
// have makes the object escape and the result unknown.
//
// Calls are resolved by the call graph given. Where the called value is unknown,
// a hub joins all such calls of one signature or method to all functions that
// the caller names for it.
//
// Small functions that allocate what they return are analysed once for each
// static call, as Config.Clone allows, so that what two callers get is told
// apart. All queries unite contexts.
//
// # Limits
//
// Strings are not followed (their bytes are immutable). Arithmetic on uintptr
// gives unknown pointers, which reach what escaped by its conversion. Functions
// without a body keep nothing of memory without pointers. Some methods of
// sync.Pool and atomic.Value are modelled instead of read, and what package fmt prints
// that is mere data, or points to it, ends there instead of escaping to reflection
// (see plain).
package pointsto
