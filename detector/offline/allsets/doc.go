// Package allsets is ALL-SETS of G.-I. Cheng, M. Feng, C. E. Leiserson, K. H. Randall and
// A. F. Stark, Detecting Data Races in Cilk Programs that Use Locks, SPAA 1998. It finds
// races of programs with spawn, sync and locks in one serial depth-first execution.
//
// # Terms
//
// Tasks are elements of disjoint sets (package bags). The S-bag of a running task
// contains the task and the ended tasks that precede its next events. The P-bag of a
// scope contains the ended tasks that the scope still waits for; they are parallel to the
// running task.
//
// # Algorithm
//
// When a task ends, its S-bag joins the P-bag of its scope. When a scope is closed, its
// P-bag joins the S-bag of the closing task. So an ended task is parallel to the present
// one if and only if it is in a P-bag.
//
// Each byte has a list of lockers: tasks with the locksets under which they accessed the
// byte. A new access races with each locker in a P-bag that no lock protects from it. Its
// locker replaces the lockers in S-bags whose locksets include its own. It is dropped if
// a locker in a P-bag has a lockset that its own includes. As in the paper, a fictitious
// lock represents reading: all reads hold it, so that reads exclude each other. A second
// one does the same for atomic accesses.
//
// # Departures
//
// In the paper each procedure has one scope, which its syncs end and begin again. Here
// finish scopes nest within a task, and each has a P-bag of its own (as in ESP-bags); for
// spawn and sync this is the same. Locks have modes. Each byte is a location.
//
// The worst case is the paper's: a byte's list of lockers can grow to the largest family
// of its locksets in which none includes another.
package allsets
