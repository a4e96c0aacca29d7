// Package subtests races inside of tests, where the testing package's own
// support must fail the test that was running.
//
// Parallel subtests are parallel whether one had to wait for another's slot or not,
// and whatever the testing package notes about each of them: with go build -race these
// order them in most runs.
package subtests

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

var tables = []struct {
	name string
	in   int
}{{"one", 1}, {"two", 2}, {"three", 3}}

// TestTableShared has parallel subtests that set one variable of the parent.
func TestTableShared(t *testing.T) {
	var got int
	for _, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got = tt.in * 2 // want race nostock: got
		})
	}
	t.Cleanup(func() { t.Log(got) })
}

func TestTableOwn(t *testing.T) {
	for _, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := tt.in * 2
			if got != tt.in+tt.in {
				t.Error(got)
			}
		})
	}
}

type server struct{ requests int }

// TestFixtureShared has parallel subtests that share a fixture.
func TestFixtureShared(t *testing.T) {
	s := &server{}
	for _, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s.requests += tt.in // want race nostock: s.requests
		})
	}
}

// TestFixtureLogged has them log and print before and after.
func TestFixtureLogged(t *testing.T) {
	s := &server{}
	for _, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			t.Logf("begins with %d", tt.in)
			s.requests += tt.in // want race nostock: s.requests
			t.Log(fmt.Sprintf("ends with %d", tt.in))
		})
	}
}

// TestFixtureNested has them run subtests of their own, one after the other.
func TestFixtureNested(t *testing.T) {
	s := &server{}
	for _, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			t.Run("empty", func(t *testing.T) {})
			t.Run("adds", func(t *testing.T) {
				s.requests += tt.in // want race nostock: s.requests
			})
			t.Run("empty", func(t *testing.T) {})
		})
	}
}

// TestFixtureCousins has subtests of different parallel tests share it.
func TestFixtureCousins(t *testing.T) {
	s := &server{}
	for _, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			t.Run("child", func(t *testing.T) {
				t.Parallel()
				s.requests += tt.in // want race nostock: s.requests
			})
		})
	}
}

// TestFixtureCleanup has them share it when they clean up.
func TestFixtureCleanup(t *testing.T) {
	s := &server{}
	for _, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			t.Cleanup(func() {
				s.requests -= tt.in // want race nostock: s.requests
			})
		})
	}
}

// TestFixtureDirectory has them use directories, whose names a test run notes.
func TestFixtureDirectory(t *testing.T) {
	s := &server{}
	for _, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			t.TempDir()
			s.requests += tt.in // want race nostock: s.requests
			os.ReadFile(t.TempDir() + "/none")
		})
	}
}

// TestFixtureBefore has subtests change it before they are parallel.
func TestFixtureBefore(t *testing.T) {
	s := &server{}
	for _, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			s.requests += tt.in
			t.Parallel()
			if s.requests != 6 {
				t.Error(s.requests)
			}
		})
	}
}

// TestFixtureLocked has them share it under a lock.
func TestFixtureLocked(t *testing.T) {
	s := &server{}
	var mu sync.Mutex
	for _, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			mu.Lock()
			defer mu.Unlock()
			s.requests += tt.in
		})
	}
}

// TestFixtureSequential has subtests that follow each other.
func TestFixtureSequential(t *testing.T) {
	s := &server{}
	for _, tt := range tables {
		t.Run(tt.name, func(t *testing.T) { s.requests += tt.in })
	}
	if s.requests != 6 {
		t.Error(s.requests)
	}
}

// TestCleanupOrder reads in the parent's cleanup what the subtests wrote.
func TestCleanupOrder(t *testing.T) {
	out := make([]int, len(tables))
	t.Cleanup(func() {
		if out[0]+out[1]+out[2] != 6 {
			t.Error(out)
		}
	})
	for i, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out[i] = tt.in
		})
	}
}

// TestGroupWait runs the parallel subtests inside of one that waits for them.
func TestGroupWait(t *testing.T) {
	sum := make([]int, len(tables))
	t.Run("group", func(t *testing.T) {
		for i, tt := range tables {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				sum[i] = tt.in
			})
		}
	})
	sum[0] += sum[1] + sum[2]
	if sum[0] != 6 {
		t.Error(sum)
	}
}

// TestGoroutine races inside of one test.
func TestGoroutine(t *testing.T) {
	var wg sync.WaitGroup
	n := 0
	for range 2 {
		wg.Go(func() {
			n++ // want race: n
		})
	}
	wg.Wait()
}

// TestLocked does the same under a lock.
func TestLocked(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			n++
			mu.Unlock()
		})
	}
	wg.Wait()
	if n != 2 {
		t.Error(n)
	}
}
