// Package random holds the parts that the generators of random programs share (packages
// gen, nest, callers, owners, fields and predictions): a source of choices for each case, the reachability relation by
// which they compute which accesses are ordered, the text of a program, and the flags of their tests.
package random
