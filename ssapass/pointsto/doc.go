// Package pointsto computes the points-to sets of a whole program: the objects to which
// each pointer may point.
//
// # Terms
//
// An object represents all memory that one instruction allocates, one package-level
// variable, or one function. It is a row of cells. Each scalar has a cell. Each struct
// and each array has a cell of its own in front of the cells of its parts, so that its
// address differs from the address of its first part. All elements of an array share
// the cells of one element; so do all keys of a map, all values of a map, and all
// elements of a channel. A slice points to the cell of an array, and its elements are
// behind that cell. An interface that holds a pointer points to the cells of that
// pointer; an interface that holds any other value points to a box.
//
// External code has no body in sight. An object escapes when external code may know its
// address. If external code knows a pointer to a part of a variable, such as &x.f, that part
// escapes. A pointer is unknown when it may come from external code; it may then point to all
// memory that escaped. An object that external code gets as a result alone is returned, and has
// not escaped (returned.go).
//
// An instance is a function in one calling context. Most functions have one instance,
// the common one.
//
// # Algorithm
//
// The analysis is inclusion-based (Andersen, 1994) and field-sensitive as in Pearce,
// Kelly and Hankin (2007). The solver propagates differences, and unites the nodes on
// cycles of copies from time to time. A value that is a part of another one, or the same
// pointer with another type, shares the nodes of that value. "Unknown" is one bit of a pointer and "escaped"
// one bit of a cell: escaped cells are unknown and let their targets escape, and the set of an
// unknown pointer omits them. Type assertions and conversions from unsafe.Pointer filter by type. A conversion to a type
// that no cell at the address has makes the object escape and the result unknown.
//
// Callees come from a call graph that the caller provides. Where the operand of a call
// is unknown, a hub joins all such calls of one signature or method to all functions
// that Config.Unknown returns.
//
// Config.Clone selects small functions that return the memory they allocate. Each
// static call of such a function has an instance of its own, so that the analysis
// distinguishes the memory of two callers. The answer for a value is the union of all
// instances. An entry that the program calls, too, has an instance for the calls by external code, so that
// their unknown arguments are not those of the program's calls.
//
// # Limits
//
// The analysis does not follow strings, whose bytes are immutable. Arithmetic on
// uintptr makes unknown pointers. The conversion to uintptr and unsafe.Add let the whole object
// escape, and all objects of which a part escapes if the operand is unknown.
// Functions without body keep no memory that holds no pointers. Some methods of
// sync.Pool and atomic.Value have models that replace their bodies. Package fmt only
// reads an operand that is data, with everything the operand reaches, so such operands
// do not escape to reflection (see isDataType).
package pointsto
