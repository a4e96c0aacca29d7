// Package spbags is the SP-bags algorithm (Feng and Leiserson: Efficient Detection of
// Determinacy Races in Cilk Programs, SPAA 1997), the baseline of package espbags. It
// knows programs of spawn and sync: a sync waits for all children that the task has
// spawned so far, and each task syncs before it ends.
//
// Each task that runs has an S-bag of the tasks that precede its present step and a
// P-bag of children that ended and that it has not waited for:
//
//	spawn of A           S(A) = {A}, P(A) = {}
//	A returns to B       P(B) += S(A)
//	sync of A            S(A) += P(A), P(A) = {}
//
// Bags are disjoint sets. Each byte has its last writer and a reader; an access
// races with one of them that is in a P-bag. On a program of spawn and sync, executed
// depth-first, a byte has a race reported if and only if it has one.
//
// The end of a finish scope is taken for a sync. That is the same if the task had no
// children to wait for when the scope began. What is not is counted: scopes that
// wait for some of the children, and tasks that end without having waited. Locks are not known,
// so accesses that they protect are reported; their number is counted, too.
package spbags
