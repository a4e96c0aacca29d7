// Package programs has the 27 programs of table 3 of the paper on Zipper (Storey and
// others: Optimized Sound and Complete Data Race Detection in Structured Parallel
// Programs) as programs of package detector/zipper/orders/model.
//
// The paper gives names, sizes and verdicts; the code is our own, written from these
// and, for those whose names are programs of DataRaceBench (antidep, doall), from what
// the names say there: a loop whose iterations depend on the next element, a loop
// whose iterations are independent. Sizes are such that the graphs have about as many
// nodes as the paper's. Programs with futures wait for them in nested scopes: a future
// belongs to the task that reads it.
package programs
