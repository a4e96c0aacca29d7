// Package builder makes a plan for the passes: it tells a pass which sites it may decide
// about, and records the decisions.
//
// # Terms
//
// A site is an access in the source that may have a check (ssapass.Site). Its fate is
// one of three: Kept, the check is made at the access; Removed, it is not made; Guarded,
// it is made unless a flag is set, at run time or by the linker. An insert is code in front of a loop or statement.
// It declares flags, and may make checks for the whole loop.
//
// A removed check has a proof or a cover. A proof says that the access cannot race. A
// cover is a kept check that finds a race whenever the removed one would have found one.
//
// A site is checked if the rewriter makes a check for it that a plan may decide about. It
// is open if it is checked, Kept, covers no other site, and the running pass may give it a
// fate. Fates only become weaker: a pass decides about open sites, and no pass takes back
// a decision. Widen and Gather may also be about a site that covers others, because its
// check still includes their bytes, in the same step.
//
// # Decisions
//
// | decision | effect |
// |---|---|
// | Prove | removes a check whose access cannot race |
// | Cover | removes a check that other checks cover |
// | Guard | makes a check depend on a flag |
// | Final | makes a check depend on other packages that overwrite values of a type |
// | Overwrite | notes the types of other packages whose values the plan's packages overwrite |
// | TypeOf | names the type on which all accesses of a site agree, for Final and Pooled |
// | Pooled | makes a check depend on statements that make objects of a pool known to other code |
// | Leak | notes such a statement |
// | Gather | replaces a check by a range that grows as the loop runs |
// | Widen | makes a kept check include the bytes behind its access |
// | Insert | adds code in front of a loop or statement |
// | Redirect | has one call go to a copy of the called function |
// | Borrow | makes a copy of a function, without the checks of the first operand's memory |
// | Lend | has one call go to such a copy |
// | Spare | notes that calls from a loop make no checks |
// | Keep | notes why a check stays |
//
// A Pass is a row of the table in package optimize. Passes import this package, never
// each other, and have no other way to change a plan.
package builder
