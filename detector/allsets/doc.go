// Package allsets is ALL-SETS of G.-I. Cheng, M. Feng, C. E. Leiserson, K. H. Randall
// and A. F. Stark, Detecting Data Races in Cilk Programs that Use Locks, SPAA 1998: races
// of programs with spawn, sync and locks, from one serial depth-first execution.
//
// # Terms
//
// Each task is an element of a disjoint set. The S-bag of a running task has itself and
// the ended tasks that precede what it does next. The P-bag of a scope has the ended
// tasks that the scope still waits for: they are parallel to what runs now.
//
// # Algorithm
//
// When a task ends, its S-bag becomes a part of the P-bag of the scope that its end
// counts for; when a scope is closed, its P-bag becomes a part of the S-bag of the task
// that closes it. So an ended task is parallel to the present one if and only if it is
// in a P-bag.
//
// Each byte has a list of lockers: tasks with the locksets that they accessed it under.
// A new access races with those in P-bags that nothing protects from it. It replaces
// those in S-bags whose locksets include its own, and is left out where one in a P-bag
// has a lockset that its own includes. As in the paper a lock that does not exist says
// that an access reads: reads exclude each other. Another one does so for atomic
// accesses.
//
// # Departures
//
// The paper has one scope for each procedure, which its syncs end and begin again; here
// finish scopes nest within a task, each with a P-bag of its own (as in ESP-bags), which
// for spawn and sync is the same. Locks have modes. Each byte is a location.
//
// A list of lockers grows with the locksets of a byte in the worst case as the paper
// says: with all sets, of which no one includes another.
package allsets
