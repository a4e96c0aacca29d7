// Package optimize decides which memory accesses of a program need no check of their own,
// and gives a reason for each.
//
// # Terms
//
// A plan has a fate for each access site of the source (ssapass.Site): Kept, the check is
// made at the access; Removed, it is not made; Guarded, it is made unless a flag says that
// an earlier check already covered the access, that the program leaves a type alone, or that no other code knows an object. An insert is the code in front of a loop or
// statement that declares such flags and may make checks for the whole loop.
//
// A check C covers the check of an access M if, whenever M's access races, C's access
// races as well. A removed check has a proof that its access cannot race at all, or a
// cover: a site that is itself Kept. If the paths to the access have different covers, the
// removed check has several. A report of the cover names the accesses that it covers.
//
// A piece of a program is release-free if no instruction in it, and no call, may order
// this task before another one. It is acquire-free if none may order another task before
// this one.
//
// # Algorithm
//
// A pass is a package below this one and a row of the table (table.go). Passes run one
// after the other, in an order that the constraints of the table allow, over facts of
// package ssapass. Each pass looks at the sites that are still Kept and makes the fates
// of some of them weaker; no pass makes a fate stronger. If a site has several accesses
// (instances of a generic function, test variants), the conditions of the pass must hold
// for each of them. Plan.Check verifies the whole plan at the end, and between passes if
// asked.
//
// | pass | proof, or cover |
// |---|---|
// | maintask | no other task exists |
// | escape | no other task reaches the object |
// | readonly | no task writes while tasks run |
// | fresh | no other task knows the memory yet, and only checked code can publish it |
// | affine | one scan of exactly the accessed elements, in front of the nest |
// | pooled | the object belongs to the task that took it from a pool, and no other code knows it yet |
// | stationary | only new memory gets values of the field, and no other package overwrites values of the type |
// | hoist | the first check in the loop |
// | dominate | a check of the same address before or behind, also in callees and callers |
// | gather | one check of a range of neighbours, found as the loop runs |
//
// A call may go to a copy of the called function without checks (Redirect), for the same reasons
// as a check is removed: in this call its accesses cannot race, or have a cover. A function may have a
// copy for callers whose task owns the memory of the first operand (Borrower), and calls, also of other
// packages, may go to the copy (Lent).
//
// Passes write their decisions through package builder. The passes on loops share package
// loop; packages layout and step answer questions about types and about instructions
// of SSA. Imports go one way: this package imports the passes, the passes import the
// shared packages, and no pass imports another. Package accessor finds getters and setters, and
// their calls that may go to copies.
//
// The sites of the standard library are all kept unless Options.Std is set, so that
// programs can share its compiled packages.
//
// # A new pass
//
// A new pass is a folder with its doc.go, code, and tests (package passtest), a row of the
// table, its constraints, and a line of the table above.
//
// # Source
//
// Most passes follow TaskChecker (Raman et al., section 6). Its rules
// ask for dominance alone, and lose races where a release stands between the two
// accesses; the passes complete its conditions. affine follows the polyhedral elimination
// of DRDP (section 4.4.2), and stationary the fields of Unkel and Lam. pooled takes up ownership types. fresh and gather have no paper. The doc.go of each pass says
// where it departs from its source.
//
// # Soundness
//
// The passes are as sound as package ssapass. A check is removed only if another check
// finds each race that it would find, in the same run, with the same tier. No check is
// moved to a place where its access might not happen. The passes fresh, pooled and stationary, and readonly where
// literals give memory its first value, keep one report of two: a race with a first value
// comes with a race on the pointer that published the memory, and that race stays.
//
// The glossary of all packages is docs/design/glossary.md.
package optimize
