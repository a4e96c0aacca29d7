// Package gen writes random Go programs whose races are known by construction.
//
// A program has many cases; a case is a handful of tasks that fork, join
// (sync.WaitGroup), exchange messages over channels, close channels, set and
// await atomic flags, take locks, and access variables. A case is drawn by
// simulating it: at every moment one live task does one thing that it can do.
// The sequence of all these things is the script of the case, and it is one
// of the executions of the text that is written.
//
// # Probes
//
// A probe is a variable that is accessed exactly twice, so that the history
// that a detector keeps is no matter: the two accesses race or they do not.
// Probes lie close together (fields of every width in one struct, elements of
// one byte slice), so that every mistake about bytes becomes a false report.
// Guards are variables that are accessed often, always under their lock.
//
// # Tiers
//
// The events of the script are the nodes of a graph, and the three orders of
// docs/architecture.md are its transitive closures with
//
//   - structural: program order, forks, joins, messages, closes, flags;
//   - weak: also an edge between two conflicting accesses under one lock;
//   - happens-before: also an edge from each critical section to the later
//     ones of its lock (between readers of an RWMutex there is none).
//
// A probe is a race when happens-before leaves its accesses unordered, and a
// predicted race when only the weak order does and no lock is common.
//
// # Two kinds of cases
//
// In a free case the scheduler decides, and what is expected must not depend
// on it: channels have one sender and one receiver, and a probe is dropped
// when some order of the critical sections could order its accesses. In a
// scripted case every statement waits for its turn in the script, on a word
// that no detector watches; there locks may be taken in any way, and Predicted
// races are known exactly.
package gen
