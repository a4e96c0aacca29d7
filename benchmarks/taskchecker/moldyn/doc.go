// Package moldyn simulates particles under the Lennard-Jones potential in a cube
// with periodic boundaries: MolDyn of the Java Grande Forum suite, section 3.
// Particles are objects behind pointers. A time step of the velocity Verlet
// method has five phases (half a kick, drift, forces, half a kick, energies),
// and each phase forks a task for each particle: 512,000 tasks at the large size.
//
// A task computes the whole force on its particle, so that no two tasks write the same
// particle. The price is that each pair of particles is evaluated twice.
package moldyn

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "taskchecker", Name: "moldyn",
	Doc:    "molecular dynamics, a task a particle, phase and step",
	Seed:   "once the force on every other particle is computed by two tasks",
	Run:    run,
	Small:  input{cells: 3, steps: 5},
	Medium: input{cells: 5, steps: 50},
	Large:  input{cells: 8, steps: 50},
}.Program()

type input struct {
	cells int // along each side of the cube; a cell holds four particles
	steps int
}
