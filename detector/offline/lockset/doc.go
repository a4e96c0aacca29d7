// Package lockset keeps the sets of locks that tasks hold. Sets are hash-consed: equal
// sets have the same number, so that a detector compares them in constant time and can
// cache results about pairs of them. A set has any number of locks, and locks may be
// released in any order.
//
// Each lock of a set has a mode, exclusive or shared. Two sets protect each other if both
// contain a lock that at least one of them contains as exclusive.
package lockset
