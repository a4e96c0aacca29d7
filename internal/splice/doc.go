// Package splice rewrites a type-checked package: it splices a check for each site
// (package site) into the source text.
//
// # Terms
//
// Places, sites, keys and storage are terms of package site. A check names a place,
// whether the code reads or writes it, and its site. The table of sites, in the first
// file, gives the position, the expression and the declared thing of each site. A helper
// is a small function of the generated file that makes a check. The helpers are Go files
// of their own (files/), from which the generated file takes the helpers that it needs.
//
// A plan says which checks are left out, which have a condition, and which code stands
// in front of a loop. Splicing carries it out and trusts nothing: it counts a decision
// that fits no site, and checks the access. The result lists the sites with a check.
//
// A unit is an operation that the compiler executes before the rest of the expression
// around it: a call, a receive, a && or ||, and operations such as len, append, a slice
// expression or a type assertion.
//
// # Algorithm
//
// One walk over the syntax collects edits of byte ranges, which nest as the tree does,
// and one pass over the text applies them. Splicing never prints the tree, and it adds no
// newline, so that every line keeps its number. Where text moves, /*line*/ directives
// restore the positions.
//
// The check of a read stands in its place: p.x becomes (*_ti_r(_ti_t, &p.x, site)), where
// _ti_r tests the filter inline and returns its pointer. The load happens at the same
// point as before. The check however is a call, and the compiler executes calls first. If
// a unit follows a pending check in the same statement, that unit and the units before it
// move into temporaries in front of the statement (order.go; an operation moves along with
// others, but does not cause a move). The compiler's own order pass does the same
// (cmd/compile/internal/walk/order.go), so evaluation order, panics and values remain the
// same.
//
// The check of a write stands in front of the store, behind it as a statement of its own, or
// in front of it after the value has moved into a temporary (assign.go).
//
// The form of a check decides how long the compiler takes. A check that is a statement, or that can stand in
// front of its statement, calls the runtime itself (direct.go). A helper in an expression is a
// function for the type of the place, _ti_r_3 for example, where the generated file can spell the type
// (typed.go).
//
// _ti_t is the task. Each function that needs it fetches it at its start. A function with one or
// two checks, none in a loop, asks the runtime directly, and so stays small enough to be inlined.
//
// Some accesses have no expression in the source. The reads of a method wrapper depend on
// the type at run time, so a call that may lead to a wrapper passes its receiver to the
// runtime (dynamic.go). Fresh memory gets write checks for its first values (fresh.go):
// literals, new(x), collected arguments, appended elements, variables that other
// goroutines may reach. A loop over a function shares the variables of its body with the
// function around it, since the iterator may run the body in another goroutine
// (variable.go of package site; loop.go).
//
// # Two walks
//
// site.Find walks the same syntax to list sites, and the two walks visit it in the same
// order and ask the same predicates of package site. They are two because they decide
// different things. Whether an access is a site depends on syntax, types and the statement
// around it. Where its check goes depends also on the units around it, which are no sites,
// on the temporaries so far, and on the plan. A common walk would carry that state into
// package site and its readers. Tests compare the sites of both walks for each package
// that they rewrite, and follow each site through the rewritten text to its check.
//
// # Limits
//
// Stats counts the accesses without a check:
//
//   - functions marked go:norace;
//   - lengths and ranges in functions marked go:nosplit, which have a small check of their
//     own;
//   - embedded pointers behind unexported fields of other packages on the way to a field
//     (on the way to a method they have a check);
//   - first values of types that the source cannot spell at the place;
//   - method values of type parameters.
//
// It counts as EarlyCheck a check that comes before a call although the access comes after
// it: in case clauses, loop post statements and package-level initializers nothing can
// move. Bytes of indexed strings have no checks: they change only through unsafe.
// Package-level initializers have none where they run alone, nor have variables that keep
// their initial value (initial.go and constant.go of package site).
//
// Hooks of the runtime report some accesses: map headers, the elements that a growing append
// reads, conversions that copy (inplace.go of package site). These have no check here. Where
// a hook would repeat a check, the patches of package rt remove the hook: copy, append and
// conversions to interfaces.
//
// The glossary of all packages is docs/design/glossary.md.
package splice
