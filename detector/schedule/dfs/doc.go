// Package dfs explores the orders in which the tasks of a program enter its critical
// sections: it says, run by run, how the next run is to begin, until each order that can
// make a difference has been seen.
//
// # Terms
//
// A section is what a task does from the moment it takes a lock up to the next point at
// which another task could be chosen. A choice is made where every task that could run is
// about to enter a section; the candidates are those tasks. A candidate is blocked if its
// lock is held. Two sections conflict if they belong to one lock, not both share it, and,
// where it is known what they accessed, one writes what the other accesses. Sections that
// do not conflict commute: runs that differ only in the order of neighbours that commute
// are one order.
//
// # Algorithm
//
// Dynamic partial order reduction with source sets (P. Abdulla, S. Aronis, B. Jonsson, K.
// Sagonas, Optimal Dynamic Partial Order Reduction, POPL 2014, algorithm 1, after C.
// Flanagan, P. Godefroid, POPL 2005): after each run, for each section the conflicting
// sections of other tasks are looked for that come before it without another section
// between them that orders the two. The choice that let such a section in gets one more
// candidate to try. Sleep sets (P. Godefroid, Partial-Order Methods for the Verification
// of Concurrent Systems, LNCS 1032) keep an order from being seen twice: what was tried at
// a choice is not tried again below its siblings until a conflicting section has been
// entered. What a section accesses is compared within one run alone, since memory has
// other addresses in the next: a task sleeps at a choice if the section that it enters
// later in the run commutes with all that was entered since it was tried.
//
// Departures: a step is a section, not one operation, and what a task does outside of its
// sections is taken to commute with everything. Order by forks, joins and messages is not
// known here: more candidates are tried than need be, never fewer.
//
// A run is steered only up to the choice that is new; behind it the host chooses by a rule
// of its own. A run that goes on with a choice that a sleep set forbids is redundant from
// there: it is counted as a run and not as an order.
//
// # Limits
//
// The program must make the same choices whenever it is run with the same beginning, and
// must end. Orders of channel operations and atomics are not explored.
package dfs
