// Package nearestneigh finds the nearest neighbors of every point in space among all
// points: nearestNeighbors of the problem based benchmark suite, with a k-d tree. A
// task builds one half of the tree below each node with many points; then a task
// looks up a block of points.
//
// The check compares a sample of the points with a search through all.
package nearestneigh

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "ptracer", Name: "nearestneigh",
	Doc:    "nearest neighbors by a k-d tree that tasks build",
	Seed:   "the root's box is made of the boxes below before one of them is ready",
	Run:    run,
	Small:  input{points: 2000, block: 100},
	Medium: input{points: 50_000, block: 1000},
	Large:  input{points: 200_000, block: 5000},
}.Program()

type input struct{ points, block int }
