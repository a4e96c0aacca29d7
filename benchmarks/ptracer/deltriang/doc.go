// Package deltriang triangulates random points: delaunayTriangulation of the problem
// based benchmark suite. Package delaunay has the algorithm, by divide and conquer
// with a task for the left half; here each task adds the number of its tests to a
// common total under a mutex.
//
// The check demands an empty circumcircle of every triangle.
package deltriang

import "taskinstr/benchmarks/program"

var Program = program.Spec[int]{
	Suite: "ptracer", Name: "deltriang",
	Doc:  "Delaunay triangulation by divide and conquer",
	Seed: "tasks add up the number of their tests without the mutex",
	Run:  run,
	// The inputs are the numbers of points.
	Small: 4000, Medium: 100_000, Large: 250_000,
}.Program()
