package deltriang

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"taskinstr/benchmarks/ptracer/delaunay"
	"taskinstr/benchmarks/ptracer/plane"
)

func run(n int, racy bool) error {
	points := plane.Distinct(n, rand.New(rand.NewPCG(13, 14)))
	var mu sync.Mutex
	total := 0
	count := func(tests int) {
		mu.Lock()
		defer mu.Unlock()
		total += tests
	}
	if racy {
		count = func(tests int) { total += tests }
	}
	mesh := delaunay.Triangulate(points, count)
	if racy {
		return nil
	}
	if err := mesh.Check(); err != nil {
		return err
	}
	// Each point is sewn in at most once a level, for a few tests.
	if most := 40 * n; total < n || total > most {
		return fmt.Errorf("%d tests for %d points, want at most %d", total, n, most)
	}
	return nil
}
