// Package kmeans groups points by Lloyd's algorithm: k-means of the book
// "Structured Parallel Programming". A task assigns a block of points to their
// nearest centers, sums them up by center and adds its sums to the common ones
// under a mutex; then the centers move to the means.
//
// The check demands that the sum of squared distances falls from round to round,
// that each point is with its nearest center, and that each center is the mean of
// its points, when nothing changes any more.
package kmeans

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "ptracer", Name: "kmeans",
	Doc:    "Lloyd's k-means, a task a block of points and round",
	Seed:   "in the first round no task takes the mutex to add its sums",
	Run:    run,
	Small:  input{points: 1000, clusters: 6, block: 50, rounds: 12},
	Medium: input{points: 100_000, clusters: 16, block: 2000, rounds: 20},
	Large:  input{points: 400_000, clusters: 32, block: 8000, rounds: 25},
}.Program()

type input struct{ points, clusters, block, rounds int }
