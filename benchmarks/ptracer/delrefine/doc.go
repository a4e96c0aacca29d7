// Package delrefine improves a Delaunay triangulation until it has no skinny
// triangle: delaunayRefine of the problem based benchmark suite, with
// deterministic reservations. A triangle is skinny if the radius of its circle is
// more than the square root of two times its shortest edge; it goes away when the
// center of its circle becomes a point of the triangulation (Chew, Ruppert). Centers
// are rounded to the grid. A triangle whose center is outside of the hull stays.
//
// A round takes a batch of skinny triangles. Tasks find the cavity of each, the
// triangles whose circles contain the new point, and reserve them and those around
// them; the first of the batch wins. Then tasks fill the cavities of those that have
// won all that they need. The reservations of a triangle are compared under a mutex,
// one for many triangles.
//
// The check demands a Delaunay triangulation whose skinny triangles all have their
// centers outside of the hull.
package delrefine

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "ptracer", Name: "delrefine",
	Doc:    "refinement of a Delaunay triangulation, by rounds of reservations",
	Seed:   "in the first round tasks reserve triangles without their mutex",
	Run:    run,
	Small:  input{points: 800, batch: 400, block: 20},
	Medium: input{points: 20_000, batch: 8000, block: 200},
	Large:  input{points: 60_000, batch: 20_000, block: 500},
}.Program()

type input struct {
	points int
	batch  int // skinny triangles a round
	block  int // of them a task
}
