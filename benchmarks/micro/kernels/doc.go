// Package kernels holds the measured programs: small programs that repeat one
// operation of the runtime, parallel kernels in which every memory access is to shared
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
	Hooks   Kind = "hooks"   // one operation each, which the detector records without a check in the source
	Scale   Kind = "scale"   // long runs: memory and time must not grow
)

// All lists the kernels in the order of the tables.
var All = []Kernel{
	{Name: "spawn", Doc: "spawn a task and join it, a batch of 64 at a time", Kind: Sync, Size: 300_000, Small: 1000, Run: spawn, Sum: 300000},
	{Name: "pingpong", Doc: "an unbuffered channel each way between two tasks", Kind: Sync, Size: 300_000, Small: 1000, Run: pingPong, Sum: 300000},
	{Name: "select", Doc: "one task selects among three channels that three others send to", Kind: Sync, Size: 300_000, Small: 1000, Run: selects, Sum: 300000},
	{Name: "map", Doc: "update a map of integers, one map a worker", Kind: Sync, Size: 6_000_000, Small: 5000, Run: mapUpdate, Sum: 6000000},
	{Name: "alloc", Doc: "build binary trees of small objects", Kind: Sync, Size: 300, Small: 3, Run: alloc, Sum: 2457300},
	{Name: "mutex", Doc: "workers count under one Mutex", Kind: Sync, Size: 3_000_000, Small: 5000, Run: mutex, Sum: 3000000},
	{Name: "rwmutex", Doc: "workers read under one RWMutex and write every 16th time", Kind: Sync, Size: 6_000_000, Small: 5000, Run: rwMutex, Sum: 6000000},
	{Name: "sor", Doc: "red-black successive over-relaxation on a square grid", Kind: Compute, Size: 1000, Small: 40, Run: sor, Sum: 500004},
	{Name: "sparse", Doc: "sparse matrix times vector, compressed rows", Kind: Compute, Size: 50_000, Small: 500, Run: sparse, Sum: 199493},
	{Name: "matmul", Doc: "dense matrix product, rows in parallel", Kind: Compute, Size: 360, Small: 30, Run: matmul, Sum: 292000},
	{Name: "cipher", Doc: "a block cipher on bytes in the manner of IDEA, both ways", Kind: Compute, Size: 1_000_000, Small: 4096, Run: cipher, Sum: 7623364662478079441},
	{Name: "nbody", Doc: "forces among all pairs of bodies", Kind: Compute, Size: 3000, Small: 60, Run: nbody, Sum: 214492},
	{Name: "sort", Doc: "merge sort of integers, halves in parallel", Kind: Compute, Size: 1_000_000, Small: 5000, Run: mergeSort, Sum: 17266121217145970056},
	{Name: "tree", Doc: "walk a search tree of pointers, subtrees in parallel", Kind: Compute, Size: 150_000, Small: 1000, Run: tree, Sum: 1274871},
	{Name: "json", Doc: "records to JSON and back", Kind: Std, Size: 600, Small: 8, Run: each(jsonItem), Sum: 1286970102746},
	{Name: "fmt", Doc: "text of numbers, strings and slices by Sprintf", Kind: Std, Size: 30_000, Small: 8, Run: each(fmtItem), Sum: 64475817098835},
	{Name: "strings", Doc: "fields, joined, replaced, in upper case", Kind: Std, Size: 500, Small: 8, Run: each(stringsItem), Sum: 1047573930866},
	{Name: "binary", Doc: "structs to bytes by reflection and back", Kind: Std, Size: 50_000, Small: 8, Run: each(binaryItem), Sum: 107378176219452},
	{Name: "regexp", Doc: "a regular expression searched in a text", Kind: Std, Size: 200, Small: 8, Run: each(regexpItem), Sum: 110906935100},
	{Name: "flate", Doc: "a text compressed and expanded", Kind: Std, Size: 60, Small: 8, Run: each(flateItem), Sum: 135762793862},
	{Name: "sortslice", Doc: "sort.Slice of 3,000 numbers", Kind: Std, Size: 100, Small: 8, Run: each(sortItem), Sum: 50424268},
	{Name: "sql", Doc: "queries of five rows over a pool of three connections", Kind: Std, Size: 40_000, Small: 8, Run: each(sqlItem), Sum: 4000700000},
	{Name: "template", Doc: "an HTML template executed", Kind: Std, Size: 2500, Small: 8, Run: each(templateItem), Sum: 5411918259169},
	{Name: "gob", Doc: "ten records encoded by gob and decoded", Kind: Std, Size: 2500, Small: 8, Run: each(gobItem), Sum: 31375000},
	{Name: "xml", Doc: "a small element to XML and back", Kind: Std, Size: 10_000, Small: 8, Run: each(xmlItem), Sum: 21646710039071},
	{Name: "goparser", Doc: "a Go file parsed and its tree walked", Kind: Std, Size: 1000, Small: 8, Run: each(parseItem), Sum: 1916500},
	{Name: "log", Doc: "lines of a shared logger", Kind: Std, Size: 80_000, Small: 8, Run: each(logItem), Sum: 3200040000},
	{Name: "syncmap", Doc: "a sync.Map stored to and read", Kind: Std, Size: 150_000, Small: 8, Run: each(syncMapItem), Sum: 11250075000},
	{Name: "lru", Doc: "a cache of a map and a list under one Mutex", Kind: Std, Size: 600_000, Small: 8, Run: each(lruItem), Sum: 180000300000},
	{Name: "lock2", Doc: "lock and unlock a Mutex that 2 tasks share", Kind: Hooks, Size: 5_000_000, Small: 2000, Run: repeat(2, lock), Sum: 5000000},
	{Name: "rlock2", Doc: "the same of an RWMutex that is read", Kind: Hooks, Size: 4_000_000, Small: 2000, Run: repeat(2, rlock), Sum: 4000000},
	{Name: "rlock8", Doc: "... by 8 tasks", Kind: Hooks, Size: 4_000_000, Small: 2000, Run: repeat(8, rlock), Sum: 4000000},
	{Name: "load2", Doc: "2 tasks load an atomic variable", Kind: Hooks, Size: 30_000_000, Small: 2000, Run: repeat(2, load), Sum: 30000000},
	{Name: "pointer8", Doc: "8 tasks load an atomic pointer", Kind: Hooks, Size: 10_000_000, Small: 2000, Run: repeat(8, loadPointer), Sum: 10000000},
	{Name: "store2", Doc: "2 tasks store to an atomic variable", Kind: Hooks, Size: 6_000_000, Small: 2000, Run: repeat(2, store), Sum: 6000000},
	{Name: "add1", Doc: "a task adds to an atomic variable", Kind: Hooks, Size: 15_000_000, Small: 2000, Run: repeat(1, add), Sum: 15000000},
	{Name: "add2", Doc: "2 tasks add to it", Kind: Hooks, Size: 5_000_000, Small: 2000, Run: repeat(2, add), Sum: 5000000},
	{Name: "swap2", Doc: "2 tasks load an atomic variable, compare and swap", Kind: Hooks, Size: 2_000_000, Small: 2000, Run: repeat(2, swap), Sum: 2000000},
	{Name: "buffered2", Doc: "2 tasks send over a buffered channel", Kind: Hooks, Size: 5_000_000, Small: 2000, Run: send(2, 64), Sum: 5000000},
	{Name: "unbuffered", Doc: "a task sends over a channel without a buffer", Kind: Hooks, Size: 2_000_000, Small: 2000, Run: send(1, 0), Sum: 2000000},
	{Name: "spawn1", Doc: "start a task and wait for it", Kind: Hooks, Size: 200_000, Small: 2000, Run: repeat(1, spawnOne), Sum: 200000},
	{Name: "syncmap2", Doc: "2 tasks read a sync.Map", Kind: Hooks, Size: 3_000_000, Small: 2000, Run: repeat(2, syncMap), Sum: 3000000},
	{Name: "mapread2", Doc: "2 tasks read a map", Kind: Hooks, Size: 30_000_000, Small: 2000, Run: repeat(2, mapRead), Sum: 30000000},
	{Name: "syncpool2", Doc: "2 tasks take from a sync.Pool and give back", Kind: Hooks, Size: 4_000_000, Small: 2000, Run: repeat(2, syncPool), Sum: 4000000},
	{Name: "alloc1", Doc: "allocate 64 bytes", Kind: Hooks, Size: 10_000_000, Small: 2000, Run: repeat(1, allocate), Sum: 10000000},
	{Name: "pool", Doc: "eight long-lived workers exchange ten million messages", Kind: Scale, Size: 10_000_000, Small: 20_000, Run: pool, Sum: 17500000},
	{Name: "spawn10m", Doc: "ten million tasks spawned and joined, 64 alive at a time", Kind: Scale, Size: 10_000_000, Small: 5000, Run: spawn, Sum: 10000000},
	{Name: "alive", Doc: "a hundred thousand tasks alive at once", Kind: Scale, Size: 100_000, Small: 2000, Run: alive, Sum: 750000},
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
