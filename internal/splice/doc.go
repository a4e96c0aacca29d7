// Package splice rewrites a type-checked package: it splices a check for each site
// (package site) into the source text.
//
// # Terms
//
// Places, sites, keys and storage are terms of package site. A check names a place,
// whether the code reads or writes it, and its site; the table of sites (position,
// expression and declared thing) stands in the first file. A helper is a small function
// of the generated file that makes a check. The text of all helpers is a Go file of its
// own (files/helpers.go), from which the generated file takes the helpers that it needs.
//
// A plan says which checks are left out, which have a condition, and which code stands
// in front of a loop. Splicing carries it out and trusts nothing: a decision that fits no
// site is counted, and the access is checked. The result lists the sites that it has.
//
// A unit is something the compiler executes before the rest of the expression
// around it: a call, a receive, a && or ||, and operations such as len, append, a
// slice expression or a type assertion.
//
// # Algorithm
//
// The tree of each file is visited in the order in which the compiler
// evaluates it; edits of byte ranges are collected, nested as the tree is, and
// applied at the end. The text is never printed from the tree, and no newline
// is added, so that every line keeps its number; where text has to move,
// /*line*/ directives restore the positions.
//
// A read is wrapped where it stands: p.x becomes (*_ti_r(_ti_t, &p.x, site)),
// where _ti_r tests the filter inline and returns its pointer. The load itself
// happens where it did before. The check however is a call, and the compiler
// executes calls first; so where a unit follows a pending check in the same
// statement, that unit and those before it are moved into temporaries in front
// of the statement (order.go; operations go along, but do not begin it). That is what the compiler's own order pass does
// (cmd/compile/internal/walk/order.go), so evaluation order, panics and values
// stay as they were.
//
// A write is checked in place before the store, behind it as a statement of
// its own, or in place after its value was moved into a temporary (assign.go).
//
// _ti_t is the task, fetched at the start of each function that needs it.
// Functions with a single check outside loops ask the runtime directly, which
// keeps them small enough to be inlined.
//
// Accesses that the source does not spell out are checked where they are made. What a
// method wrapper reads depends on the type at run time, so a call that may lead to one
// hands its receiver to the runtime (dynamic.go). Memory that the program has just been
// given gets write checks for its first value (fresh.go): literals, new(x), collected
// arguments, appended elements, variables that others may reach. A loop over a function
// shares the variables of its body with the function around it, since the iterator may
// run the body in another goroutine (vars.go, loop.go).
//
// # Limits
//
// Not checked, and counted in Stats: functions marked go:norace; lengths and
// ranges in those marked go:nosplit, which have a small check of their own; embedded pointers behind
// unexported fields of other packages on the way to a field (those on the way to a
// method are checked); first values of types that the source cannot spell at the place;
// method values of type parameters. Checks that stand before a call which plain code
// makes first (in case clauses, loop post statements and package-level
// initializers, where nothing can be moved) are counted as EarlyCheck.
// Bytes of indexed strings are not checked: they change only through unsafe.
// Package-level initializers are not checked where they run alone (initial.go),
// nor are variables that keep their initial value (constant.go).
//
// What hooks of the runtime report is not checked again here: map headers, the
// elements that a growing append reads, conversions that copy (inplace.go). Where
// a hook would repeat a check, it is the hook that goes (the patches of package
// rt): copy, append and conversions to interfaces.
package splice
