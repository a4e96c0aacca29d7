// Package fluidanimate lets a column of liquid collapse in a box: fluidanimate of the
// PARSEC suite, smoothed particle hydrodynamics (Müller and others, "Particle-based
// fluid simulation for interactive applications"). Space is a grid of cells as wide
// as the range of the forces. A task has a block of the cells in each of the phases of
// a step: sort particles into cells, densities, forces, motion.
//
// Each pair of particles is looked at once and changes both of them. So cells at the
// border of a block are changed by the tasks of neighboring blocks, too, and have a
// mutex each; the cells inside a block need none.
//
// The check compares the densities of some particles with a sum over all, demands that
// the forces inside of the liquid add up to nothing, and that no particle is lost.
package fluidanimate

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "ptracer", Name: "fluidanimate",
	Doc:    "particles of a liquid on a grid, with mutexes at the borders of blocks",
	Seed:   "in the first step densities at the borders are added up without the mutexes",
	Run:    run,
	Small:  input{cells: 6, blocks: 3, steps: 4},
	Medium: input{cells: 16, blocks: 4, steps: 6},
	Large:  input{cells: 24, blocks: 6, steps: 12},
}.Program()

type input struct {
	cells  int // along each side of the box
	blocks int // along two sides of it
	steps  int
}
