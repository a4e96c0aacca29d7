// Package raycast finds the first triangle that each of many rays hits: rayCast of
// the problem based benchmark suite, with a tree of boxes. A task builds one half of
// the tree below each node with many triangles; tasks count the leaves under a
// mutex. Then a task casts a block of rays.
//
// The triangles form a bumpy ball; some more float around it. The check
// compares a sample of the rays with a search through all triangles.
package raycast

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "ptracer", Name: "raycast",
	Doc:    "first hits of rays by a tree of boxes that tasks build",
	Seed:   "leaves on one side of the root are counted without the mutex",
	Run:    run,
	Small:  input{rings: 16, rays: 2000, block: 100},
	Medium: input{rings: 80, rays: 50_000, block: 1000},
	Large:  input{rings: 200, rays: 120_000, block: 5000},
}.Program()

type input struct {
	rings int // of the ball; twice as many triangles in a ring, twice
	rays  int
	block int // of them a task
}
