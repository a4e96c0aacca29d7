// Package convexhull finds the convex hull of points in a disk by quickhull, as
// convexHull of the problem based benchmark suite does: of the points to the
// left of a line the farthest one is a corner, and the points outside of its
// triangle are divided among the two new lines, one of them a task. Two index slices
// take turns as source and destination.
//
// The check compares with the monotone chain of Andrew, and demands that the hull
// turns left at each corner and that no point is outside.
package convexhull

import "taskinstr/benchmarks/program"

var Program = program.Spec[int]{
	Suite: "ptracer", Name: "convexhull",
	Doc:  "convex hull by quickhull, tasks by recursion",
	Seed: "the topmost two calls share the place where they put points",
	Run:  run,
	// The inputs are the numbers of points.
	Small: 6000, Medium: 1_000_000, Large: 8_000_000,
}.Program()
