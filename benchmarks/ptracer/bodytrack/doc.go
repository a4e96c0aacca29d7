// Package bodytrack follows a walking figure through a sequence of noisy images:
// bodytrack of the PARSEC suite, an annealed particle filter (Deutscher and Reid,
// "Articulated body motion capture by stochastic search"). The figure has a trunk,
// a head, two arms and two legs with a joint each: eleven numbers are a pose. The
// program draws the images itself, so it knows the true poses.
//
// Tasks smooth the rows of an image; then, layer by layer, tasks scatter blocks of
// particles, compare their silhouettes with the image, and note the best one under a
// mutex. The layers grow ever more selective.
//
// The check compares the joints of the pose that is found in each image with the true ones.
package bodytrack

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "ptracer", Name: "bodytrack",
	Doc:    "particle filter that follows a jointed figure, tasks by rows and by particles",
	Seed:   "in the first image particles are compared before the image is smooth",
	Run:    run,
	Small:  input{images: 2, particles: 40, block: 8},
	Medium: input{images: 5, particles: 200, block: 20},
	Large:  input{images: 12, particles: 300, block: 20},
}.Program()

type input struct {
	images    int
	particles int
	block     int // of them a task
}
