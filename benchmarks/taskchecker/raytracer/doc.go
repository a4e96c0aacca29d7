// Package raytracer renders 64 mirroring spheres with shadows and reflections: RayTracer
// of the Java Grande Forum suite, section 3. Each row of the picture is a task. The tasks
// add up a checksum of the picture under a mutex. The large size makes 500 tasks.
package raytracer

import "taskinstr/benchmarks/program"

var Program = program.Spec[int]{
	Suite: "taskchecker", Name: "raytracer",
	Doc:  "ray tracing of spheres, a task a row",
	Seed: "every other task adds to the checksum without the mutex",
	Run:  run,
	// The inputs are the numbers of pixels in a row and in a column.
	Small: 24, Medium: 200, Large: 500,
}.Program()
