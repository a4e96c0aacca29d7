// Package suites lists the papers' benchmark programs: the twelve of TaskChecker
// (fork-join programs, of the Java Grande Forum suite, the Computer Language
// Benchmarks Game and the EC2 challenge), the seven of DRDP (programs with
// promises, of Rodinia, Kastors and BOTS) and the thirteen of PTRacer (task parallel
// programs with locks, of PARSEC, the problem based benchmark suite and the book
// "Structured Parallel Programming"). All are written for this repository.
package suites

import (
	"fmt"
	"strings"

	"taskinstr/benchmarks/drdp/health"
	"taskinstr/benchmarks/drdp/knapsack"
	dmatmul "taskinstr/benchmarks/drdp/matmul"
	"taskinstr/benchmarks/drdp/poisson"
	"taskinstr/benchmarks/drdp/sort"
	"taskinstr/benchmarks/drdp/sparselu"
	"taskinstr/benchmarks/drdp/strassen"
	"taskinstr/benchmarks/program"
	"taskinstr/benchmarks/ptracer/blackscholes"
	"taskinstr/benchmarks/ptracer/bodytrack"
	"taskinstr/benchmarks/ptracer/convexhull"
	"taskinstr/benchmarks/ptracer/delrefine"
	"taskinstr/benchmarks/ptracer/deltriang"
	"taskinstr/benchmarks/ptracer/fluidanimate"
	"taskinstr/benchmarks/ptracer/karatsuba"
	"taskinstr/benchmarks/ptracer/kmeans"
	"taskinstr/benchmarks/ptracer/nearestneigh"
	"taskinstr/benchmarks/ptracer/raycast"
	psort "taskinstr/benchmarks/ptracer/sort"
	"taskinstr/benchmarks/ptracer/streamcluster"
	"taskinstr/benchmarks/ptracer/swaptions"
	"taskinstr/benchmarks/taskchecker/crypt"
	"taskinstr/benchmarks/taskchecker/fannkuch"
	"taskinstr/benchmarks/taskchecker/fasta"
	"taskinstr/benchmarks/taskchecker/lufact"
	"taskinstr/benchmarks/taskchecker/mandelbrot"
	"taskinstr/benchmarks/taskchecker/matmul"
	"taskinstr/benchmarks/taskchecker/moldyn"
	"taskinstr/benchmarks/taskchecker/montecarlo"
	"taskinstr/benchmarks/taskchecker/raytracer"
	"taskinstr/benchmarks/taskchecker/series"
	"taskinstr/benchmarks/taskchecker/sor"
	"taskinstr/benchmarks/taskchecker/sparse"
)

// All lists the programs in the order of the papers' tables.
var All = []program.Program{
	crypt.Program, lufact.Program, moldyn.Program, montecarlo.Program, raytracer.Program, series.Program,
	sor.Program, sparse.Program, fannkuch.Program, fasta.Program, mandelbrot.Program, matmul.Program,

	health.Program, knapsack.Program, dmatmul.Program, sort.Program, strassen.Program, sparselu.Program,
	poisson.Program,

	blackscholes.Program, bodytrack.Program, fluidanimate.Program, streamcluster.Program, swaptions.Program,
	convexhull.Program, delrefine.Program, deltriang.Program, karatsuba.Program, kmeans.Program,
	nearestneigh.Program, raycast.Program, psort.Program,
}

// Find returns the program with a name. The name may begin with the suite
// ("drdp/matmul"); without it, the name must be unique.
func Find(name string) (program.Program, error) {
	var found, known []string
	var last program.Program
	for _, p := range All {
		known = append(known, p.String())
		if name == p.Name || name == p.String() {
			found = append(found, p.String())
			last = p
		}
	}
	switch len(found) {
	case 0:
		return program.Program{}, fmt.Errorf("no program %q; there are %s", name, strings.Join(known, ", "))
	case 1:
		return last, nil
	}
	return program.Program{}, fmt.Errorf("several programs are called %s: %s", name, strings.Join(found, ", "))
}
