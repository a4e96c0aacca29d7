// Package bags holds the S-bags and P-bags of serial detectors: disjoint sets of tasks of
// a program that is executed depth-first.
//
// An S-bag belongs to a running task and contains the ended tasks that precede its next
// events. A P-bag contains ended tasks that nobody has waited for yet: they are parallel
// to the running task. An ended task is therefore parallel to the running one if and only
// if its set is a P-bag. Feng and Leiserson (Efficient Detection of Determinacy Races in
// Cilk Programs, SPAA 1997) introduced both.
//
// The detector that is merged into package runtime (detector/serial/espbags) cannot import this
// package and has its own sets.
package bags
