// Package site says which accesses of a type-checked package get a check: its sites.
// The input is syntax and types; the package knows neither SSA nor the rewriter.
// Package splice rewrites sites, package ssapass analyses them, and tools list them.
//
// # Terms
//
// A place is an expression that denotes memory: a variable, a field, an element, the
// target of a pointer. Its Storage is reachable if another goroutine may reach it:
// package-level variables that change, locals that the compiler keeps in memory because
// their address is taken or because a function literal captures them by reference, and
// everything behind a pointer or slice. All other locals have no sites: a check would
// take their address, and that would move them.
//
// A site is a read, a write or an atomic operation of reachable memory that instrumented
// code checks. Its key names it by syntax alone: the base name of the file, line and
// column after line directives, the text of the expression, whether the access is a
// write, and whether it is of the elements behind the expression. A plan (package
// splice) decides about keys. Its text is the expression as the user wrote it, on one
// line, and shortened. A digest names the text of a file; a decision about another text
// does not count.
//
// Three properties limit a plan:
//
//   - A fixed site keeps its check in any case: initializers of package-level variables,
//     functions marked go:nosplit, atomic operations, method wrappers, results that a
//     return statement assigns.
//   - The check of a partial site is not of exactly the access's bytes: the length of a
//     slice, the elements that append writes, a first value. A plan can leave it out; it
//     cannot cover another check.
//   - The check of an early site comes before a call that the access follows, because no
//     statement can be added there. A plan does not decide about it.
//
// # Algorithm
//
// New looks at all files once for facts about variables: which functions capture each local, and
// whether the code assigns it or takes its address (variable.go), which package-level variables keep
// their initial values (constant.go), and whether initializers run alone (initial.go).
// Find then walks each function once, in the order in which the compiler evaluates it,
// and lists the sites. The walk carries a context: whether the rewriter may add
// statements before or behind the statement at hand. A few sites depend on it.
//
// Whole packages are left alone: the runtime, its imports, and the packages whose hooks
// report their accesses (skip.go).
//
// # Limits
//
// Accesses that hooks of the runtime report are no sites: map operations, conversions
// that copy, elements that a growing append reads. Package splice lists these operations
// in its table, without a number. Embedded pointers behind unexported fields of other packages,
// and first values of types that the source cannot spell, have no site. In functions
// marked go:nosplit, the elements that a builtin call accesses are fixed sites without a
// check.
//
// The glossary of all packages is docs/design/glossary.md.
package site
