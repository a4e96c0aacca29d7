// Package random holds the parts that the generators of random programs share (packages
// gen, nest and callers): a source of choices for each case, the reachability relation by
// which they compute which accesses are ordered, and the text of a program.
package random
