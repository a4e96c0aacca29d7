// Package optimize decides which memory accesses of a program need no check of
// their own, and says of each why.
//
// # Terms
//
// A plan has a fate for each access site of the source (ssapass.Site): Kept, the
// access is checked where it stands; Removed, it is not; Guarded, it is checked
// unless a flag says that another check, made in front of its loop, stands for
// it. An insert is that code in front of a loop.
//
// A check on M is covered by another check C when, whenever M's access races, so
// does C's. A removed check has either a proof that its access cannot race
// at all, or a cover: a site that is itself Kept; or several, where each way to the
// access has its own. A report of the cover names the accesses it stands for.
//
// A span of a program is release-free if no instruction in it, and no call, may
// order something of this task before something of another one; acquire-free,
// if none may do the reverse.
//
// # Algorithm
//
// Passes run one after the other in an order that the table of constraints
// allows (table.go), over facts of package ssapass. Each looks at the sites that
// are still Kept and makes the fate of some of them weaker; none is made
// stronger again. Where a site has several accesses (instances of a generic
// function, test variants), each of them must allow it. Between passes, and at
// the end, Plan.Check looks at the plan as a whole.
//
// | pass | proves or covers | file |
// |---|---|---|
// | maintask | no other task exists | maintask.go |
// | escape | no other task reaches the object | escape.go |
// | readonly | nobody writes while tasks run | readonly.go |
// | fresh | nobody else knows the memory yet, and only checked code can make it known | fresh.go |
// | affine | one scan of exactly the accessed elements, in front of the nest | affine.go |
// | hoist | the first check in the loop | hoist.go |
// | dominate | a check of the same address before or behind, also in callees and callers | dominate.go |
// | gather | one check of a range of neighbours, found as the loop runs | gather.go |
//
// Packages of the standard library are checked whole (Options.Std changes that),
// so that programs can share what was compiled of them.
//
// # Source
//
// The passes but affine are those of TaskChecker (Raman et al., section 6),
// whose conditions are completed here: its rules ask for dominance alone, and
// lose races where a release stands between the two accesses. fresh has no paper. affine follows
// the polyhedral elimination of DRDP (section 4.4.2). The head of each file says
// where a pass departs from its source.
//
// # Soundness
//
// That of package ssapass. A check is removed only if a race that it would find
// is found by another check, in the same run, with the same tier; none is moved
// to where its access might not happen. The pass fresh, and readonly where literals
// give memory its first value, keep one report of two: a race with a first value comes
// with a race on the pointer that made the memory known, and that one stays.
package optimize
