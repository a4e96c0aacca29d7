// Package spbags is the SP-bags algorithm (Feng and Leiserson: Efficient Detection of
// Determinacy Races in Cilk Programs, SPAA 1997), the baseline of package espbags. Its
// model is spawn and sync: a sync waits for all children that the task has spawned so
// far, and each task syncs before it ends.
//
// Each running task has an S-bag of the tasks that precede its present step, and a P-bag
// of the ended children for which it has not waited (package bags):
//
//	spawn of A           S(A) = {A}, P(A) = {}
//	A returns to B       P(B) += S(A)
//	sync of A            S(A) += P(A), P(A) = {}
//
// Each byte has its last writer and one reader. An access races with one of them if it is
// in a P-bag and conflicts with the access. In a program of spawn and sync that is
// executed depth-first, the detector reports a race on a byte if and only if the byte has
// one.
//
// The detector treats the end of a finish scope as a sync. The two are the same if the
// task had no unwaited children when the scope began. The detector counts the exceptions:
// scopes that wait for some of the children, and tasks that end without having waited. It
// does not know locks: it reports accesses that a lock protects, and counts the accesses
// under locks.
package spbags
