// Package lockset keeps the sets of locks that tasks hold. Sets are hash-consed: equal
// sets are one number, so that a detector compares them at once and remembers what it
// has found out about two of them. A set has any number of locks, and locks may be
// given up in any order.
//
// A lock is in a set with its mode, exclusive or shared. Two sets protect each other
// if a lock is in both and one of them has it exclusively.
package lockset
