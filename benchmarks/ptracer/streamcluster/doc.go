// Package streamcluster groups a stream of points, of which only a chunk is in memory
// at a time: streamcluster of the PARSEC suite, online k-median (O'Callaghan and
// others, "Streaming-data algorithms for high-quality clustering"). Each chunk is
// reduced to weighted centers, and in the end the centers to few.
//
// A chunk is clustered by local search on facility location: opening a center has a
// price, which is halved or raised until the number of centers is in range. The
// gain of a candidate for a center is computed by one task for each block of points. A task sums
// up in a row of its own the loss for each center that closes, and adds the savings of its points
// to a common sum under a mutex. Then tasks move the points.
//
// The check demands that no step of the search raises the cost, that costs and weights
// agree with the points, and that the result is not much worse than the places
// which the points were made around.
package streamcluster

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "ptracer", Name: "streamcluster",
	Doc:    "online k-median by local search, tasks by block and step",
	Seed:   "tasks add the savings of the first candidate without the mutex",
	Run:    run,
	Small:  input{chunks: 2, chunk: 240, block: 60, places: 5},
	Medium: input{chunks: 4, chunk: 4000, block: 500, places: 10},
	Large:  input{chunks: 8, chunk: 10_000, block: 1000, places: 12},
}.Program()

type input struct {
	chunks, chunk int // points in a chunk
	block         int // points that a task looks at
	places        int // that the points are made around
}
