// Package escape is the pass that removes the checks of accesses to objects which never
// leave their task. No other task can name such an object, so that no access to it races.
//
// It needs, for every access of the site, that no object to which the address may point
// is shared, for its whole life (ssapass.SharedAt is false). A captured variable is
// special: another task reaches it only through the function literal, so that accesses
// before the literal is made are local as well (ssapass.Private).
// In package scope an object that other packages get as a result alone is not shared either (ssapass/pointsto/returned.go): their
// accesses come after the call. If these hand it to further tasks without order, each of them has a race on the pointer first, as for
// first values (package fresh). So this needs checks in all packages.
// In package scope the same holds for new memory that the function, or a callee with callers in
// sight, has not yet published (ssapass.Owned), if each store which publishes the memory has a
// check: package fresh gives the reason.
//
// Writes that fill a slice which is sorted afterwards keep their checks, if these become one range
// (filled).
//
// The checks of a small function stay if one of its callers hands it shared memory. A call that
// hands it memory of its own task alone, such as a method call on a local variable, goes to
// a copy without checks (calls.go, package accessor). The condition is the same, for the
// memory to which the arguments of this call may point.
//
// A larger function, also of another package, can have a copy that lacks only the checks of the memory of its first
// operand: of addresses that are the operand, its fields, and elements of arrays in it (lend.go). A
// call goes there if no other task reaches the memory to which the operand may point, for its
// whole life. If the operand of a call in the copy is such an address again, this call goes to
// a copy, too. A check of the copy's function may cover accesses elsewhere: these are accesses of the same memory,
// or of parts of the same variable, and need no check in such a call either. A function that makes its operand known to another task,
// as by a go statement, says so in its contract, and its callers' memory is shared. There are no copies for
// values with locks, atomic numbers or channels, which several tasks mostly share, and none whose
// text is large for the checks that it lacks.
//
// Source: TaskChecker (Raman et al.), section 6.3, on task-local objects. Departure: the
// paper asks for objects that were allocated in the task that accesses them. Here a
// points-to analysis, with one object for each allocating instruction and calling
// context, tells which objects another task may reach. Except for captured variables the
// analysis ignores time: an object that is handed over once, but as a result, is shared from its
// allocation on.
package escape
