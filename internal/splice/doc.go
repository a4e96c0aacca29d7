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
// A unit is an operation that the compiler executes before the rest of the expression
// around it: a call, a receive, a && or ||, and operations such as len, append, a slice
// expression or a type assertion.
//
// # Algorithm
//
// Package site walks the syntax to list sites. This package walks it once more, in the
// same order, to place the checks; both ask the same predicates of package site, and a test
// compares the two lists of sites. The walk collects edits of byte ranges, nested as the
// tree is, and applies them at the end. It never prints the tree, and it adds no newline, so
// that every line keeps its number. Where text moves, /*line*/ directives restore the
// positions.
//
// The check of a read stands in its place: p.x becomes (*_ti_r(_ti_t, &p.x, site)), where
// _ti_r tests the filter inline and returns its pointer. The load happens at the place where
// it did before. The check however is a call, and the compiler executes calls first. Where a
// unit follows a pending check in the same statement, that unit and the units before it
// move into temporaries in front of the statement (order.go; an operation moves along with
// others, but does not cause a move). The compiler's own order pass does the same
// (cmd/compile/internal/walk/order.go), so evaluation order, panics and values stay as they
// were.
//
// The check of a write stands in front of the store, behind it as a statement of its own, or
// in front of it after the value has moved into a temporary (assign.go).
//
// _ti_t is the task. Each function that needs it fetches it at its start. A function with a
// single check outside loops asks the runtime directly, and so stays small enough to be
// inlined.
//
// Some accesses have no expression in the source. The reads of a method wrapper depend on
// the type at run time, so a call that may lead to a wrapper hands its receiver to the
// runtime (dynamic.go). Memory that the program has just been given gets write checks for
// its first value (fresh.go): literals, new(x), collected arguments, appended elements,
// variables that others may reach. A loop over a function shares the variables of its body
// with the function around it, since the iterator may run the body in another goroutine
// (variable.go of package site; loop.go).
//
// # Limits
//
// Stats counts the accesses that have no check: functions marked go:norace; lengths and
// ranges in functions marked go:nosplit, which have a small check of their own; embedded
// pointers behind unexported fields of other packages on the way to a field (on the way to
// a method they have a check); first values of types that the source cannot spell at the
// place; method values of type parameters. It counts as EarlyCheck the checks that stand
// before a call which plain code makes first: in case clauses, loop post statements and
// package-level initializers nothing can move. Bytes of indexed strings have no checks: they
// change only through unsafe. Package-level initializers have none where they run alone,
// nor have variables that keep their initial value (initial.go and constant.go of package
// site).
//
// Hooks of the runtime report some accesses: map headers, the elements that a growing append
// reads, conversions that copy (inplace.go of package site). These have no check here. Where
// a hook would repeat a check, the patches of package rt remove the hook: copy, append and
// conversions to interfaces.
package splice
