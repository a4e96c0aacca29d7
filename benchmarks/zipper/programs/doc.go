// Package programs has the 27 programs of table 3 of the paper on Zipper (Storey and
// others: Optimized Sound and Complete Data Race Detection in Structured Parallel
// Programs), as programs of package detector/offline/zipper/orders/model.
//
// The paper gives names, sizes and verdicts. The code is our own, written from these and,
// for the names of programs of DataRaceBench (antidep, doall), from the patterns that the
// names denote there: a loop whose iterations depend on the next element, and a loop with
// independent iterations. The sizes are chosen so that the graphs have about as many
// nodes as the paper's. Programs with futures wait for them in nested scopes: a future
// belongs to the task that reads it.
package programs
