// Package mem is the memory of an engine: arrays that grow in reserved addresses, the index of equal
// elements, spin locks, and what an engine needs of its host for these. All engines use it, and
// none has memory of another kind.
//
//	Arena     elements that come and go, named by index; memory follows the largest index
//	Hoard     free elements of an arena that one owner keeps in stock
//	Zeroed    words that are zero until they are written, memory follows the words that are touched
//	Interned  an arena that finds the element with some contents
//
// An index is 32 bits, and 0 is no element. Nothing here is a pointer into Go's heap, and no
// element holds a pointer, so that the collector need not know of this memory.
//
// rt merges this package's text into package runtime, so it imports unsafe alone. What differs
// there is in files with the constraint !taskinstr_runtime: atomic operations, Fence, Yield and Pause,
// memory of the system, and the end of a program whose tables are full. rt/files/runtime/host.go and
// its neighbours have the same functions.
package mem
