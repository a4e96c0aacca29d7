// Package dfs explores the orders in which the tasks of a program enter its critical
// sections, or make all operations that order tasks: on locks, channels, WaitGroups, Cond and atomic variables.
// After each run it determines the beginning of the next run, until it has seen
// each order that can make a difference.
//
// # Terms
//
// A section is the part of a task's execution from the moment at which it takes a lock to
// the next point at which another task could be chosen. A choice is made when every task
// that could run is about to enter a section; the candidates are these tasks. A candidate
// is blocked if its lock is held. Two sections conflict if they belong to one lock, do
// not both share it, and, if the accesses of both are known, one writes a byte that the
// other accesses. Sections that do not conflict commute. Runs that differ only by
// exchanges of neighbouring sections that commute have the same order.
//
// # Algorithm
//
// The algorithm is dynamic partial order reduction with source sets (P. Abdulla, S.
// Aronis, B. Jonsson, K. Sagonas, Optimal Dynamic Partial Order Reduction, POPL 2014,
// algorithm 1, after C. Flanagan, P. Godefroid, POPL 2005). After each run it finds, for
// each section, the earlier conflicting sections of other tasks such that no section in
// between orders the two. The choice that admitted the earlier section gets one more
// candidate to try. Sleep sets (P. Godefroid, Partial-Order Methods for the Verification
// of Concurrent Systems, LNCS 1032) prevent that an order is seen twice: a task that was
// tried at a choice is not tried again below its siblings until a conflicting section has
// been entered. Accesses are compared only within one run, because memory has other
// addresses in the next. A task therefore sleeps at a choice if the section that it
// enters later in the run commutes with all sections entered since the task was tried.
//
// Departures: a step is a section, not one operation, and the operations of a task
// outside of its sections are assumed to commute with everything. The order by forks, joins and messages is
// that of candidates: a task that becomes a candidate has been waiting for the section before. Giving up a lock
// orders what follows, but does not forbid to try the other section first. Where an order is not known,
// more candidates are tried than necessary, never fewer.
//
// # All operations
//
// With every operation as a section of its own, two runs have the same order if and only if they are one Mazurkiewicz trace:
// each trace is counted once. The operations are those of the host:
//
//	lock, RLock        a section of the lock, blocked while the lock is held
//	TryLock            the same with Try; only then is giving up a lock a section
//	channel, select    a section of the channels; waiting in the operation comes after it
//	atomic load, store a section in shared mode, a section
//	WaitGroup          Add is a shared section, Wait one with Wait that is blocked while the counter is not
//	                   zero; Done is none: the order of Done and Add is not explored
//	Cond               a section of the list of those who wait; the lock apart
//
// A select takes the case that its host decides, the same one in each run with the same beginning.
//
// A run is controlled only up to the choice that is new; after it the host chooses by a
// rule of its own. If a run makes a choice that a sleep set forbids, the rest of the run
// is redundant: it counts as a run and not as an order.
//
// # Limits
//
// The program must make the same choices whenever it is run with the same beginning, and
// must end.
package dfs
