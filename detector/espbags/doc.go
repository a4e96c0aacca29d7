// Package espbags is the ESP-bags algorithm (Raman, Zhao, Sarkar, Vechev and Yahav:
// Efficient Data Race Detection for Async-Finish Parallelism, Formal Methods in System
// Design 41, 2012). It executes a program of tasks and finish scopes serially, in
// depth-first order, and finds a race on a location if and only if some schedule of
// the same input has one, as long as no isolated section decides what is executed.
//
// The same text is an ordinary package and, merged by package rt, a part of package
// runtime (docs/architecture.md). In depth-first order one task runs at a time, so
// nothing here is locked or atomic.
//
// # Bags
//
// Each task that runs has an S-bag: the tasks all of whose steps so far precede its
// present one. Each finish scope has a P-bag: the tasks that ended in it and that
// nobody has waited for. Bags are disjoint sets of task ids, in a forest with union by
// rank and path halving (forest.go); what tells an S-bag from a P-bag is a bit in the
// root.
//
//	fork of A            S(A) = {A}
//	end of A in scope F  P(F) += S(A)
//	B waits for F        S(B) += P(F)
//
// The paper gives each task a P-bag, too, which goes to the scope around it when the
// task ends. A task is in that scope's P-bag at once here: nothing waits for the one
// without the other. Spawn and sync are scopes that begin anew at each sync.
//
// A past access races with the present one if they conflict, its task is in a P-bag,
// and no lock protects both.
//
// # Locations
//
// The shadow of memory has 8 bytes for each 8-byte word, the entry, and 8 more for
// the origins: where the two accesses of the entry were made (shadow.go). An entry
// is the last writer, one reader, and the bytes that they accessed; other bytes have no
// history. A word whose bytes differ otherwise, or that was accessed under locks, has
// a cell, with a history for each byte (cell.go).
//
// A write that races with nothing replaces reader and writer: whoever races with the
// reader later races with the write. A read by the task that wrote last leaves no
// trace. Entries that a read leaves as they are remembered for the rest of the step, and
// one of them, without a writer, for all tasks until somebody waits (Engine.shared).
//
// Ranges have a history for each line of 128 words, or for the part of it that they
// cover; words accessed alone leave it one by one and come back with the next range
// (line.go). Entry and origins of a line lie side by side: a row of a matrix costs a few
// cache lines.
//
// # Locks
//
// Section 5 of the paper has an isolated reader and writer for each location, which
// race with plain accesses only. Here an isolated access is one under a set of locks
// and a location keeps a list of those that no other stands for, as ALL-SETS does
// (Cheng, Feng, Leiserson, Randall and Stark: Detecting Data Races in Cilk Programs
// that Use Locks, SPAA 1998): with the one lock of isolated sections these are the
// paper's reader and writer. Two accesses under a common lock do not race, unless both
// hold it shared. An atomic access is one under a lock that all atomic accesses share.
//
// What is exact: on the path that was executed, each race reported is one, and a byte
// has a race reported if it has any, for all combinations of locks, as long as a
// byte's list has at most maxLockers elements; Stats.Overflows counts those left out. What is not: if
// sections that exclude each other do not commute, another schedule may execute
// other code.
//
// # Memory
//
// Arrays lie in address ranges that get memory when they are written to. A
// task that ends without an access leaves nothing. When the only task alive has waited
// for all others, all that was recorded precedes whatever comes, so the smallest id in use
// rises and everything below it counts as empty (alone.go). Otherwise Sweep gives
// ids back that no word, cell or bag needs, and origins, calling contexts and locksets
// with them.
//
//	task      40 B as long as a word names it; 320 B while it runs
//	word      16 B; 16 KiB for each 8 KiB page of memory with an access
//	line      32 B
//	cell      164 B
//	locker    20 B, shared by the bytes that have the same ones
//	origin    24 B for each site and calling context
package espbags
