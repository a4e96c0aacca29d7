// Package kernels holds the measured programs: small programs that repeat one
// synchronization operation, parallel kernels in which every memory access is to shared
// data and the types alone allow no check to be left out, and tasks that call the
// standard library. Each kernel returns a checksum that depends on its size only, not on
// the number of workers, so that each run is known to have done its work.
package kernels

import (
	"math"
	"sync"
)

// A Kernel is one measured program.
type Kernel struct {
	Name string
	Doc  string
	Kind Kind
	// Size is the default size, Small the size in tests.
	Size, Small int
	// Run does the work of the given size with the given number of workers.
	Run func(size, workers int) uint64
	// Sum is the checksum of the default size.
	Sum uint64
}

// Kind groups the kernels in tables.
type Kind string

const (
	Sync    Kind = "sync"    // synchronization and the services of the runtime
	Compute Kind = "compute" // memory accesses
	Std     Kind = "std"     // work of the standard library
	Scale   Kind = "scale"   // long runs: memory and time must not grow
)

// All lists the kernels in the order of the tables.
var All = []Kernel{
	spawnKernel, pingPongKernel, selectKernel, mapKernel, allocKernel, mutexKernel, rwMutexKernel,
	sorKernel, sparseKernel, matmulKernel, cipherKernel, nbodyKernel, sortKernel, treeKernel,
	jsonKernel, fmtKernel, stringsKernel, binaryKernel, regexpKernel, flateKernel, sortSliceKernel,
	poolKernel, spawnManyKernel, aliveKernel,
}

// Find returns the kernel with a name.
func Find(name string) (Kernel, bool) {
	for _, k := range All {
		if k.Name == name {
			return k, true
		}
	}
	return Kernel{}, false
}

// split runs f on consecutive parts of 0..n, each in a task, and waits.
func split(n, workers int, f func(lo, hi int)) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { f(n*w/workers, n*(w+1)/workers) })
	}
	wg.Wait()
}

// rng is a small generator (xorshift64*) with the same numbers on every platform and Go
// version.
type rng uint64

func (r *rng) next() uint64 {
	x := uint64(*r)
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	*r = rng(x)
	return x * 2685821657736338717
}

func (r *rng) below(n int) int { return int(r.next() >> 33 % uint64(n)) }

// unit returns a number in [0, 1).
func (r *rng) unit() float64 { return float64(r.next()>>11) / (1 << 53) }

// round makes a checksum of a sum. It keeps six digits, so that fused operations of some
// processors do not affect it.
func round(sum float64) uint64 {
	if sum == 0 {
		return 0
	}
	scale := math.Pow(10, 5-math.Floor(math.Log10(math.Abs(sum))))
	return uint64(math.Round(math.Abs(sum) * scale))
}
