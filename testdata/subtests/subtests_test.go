// Package subtests races inside of tests, where the testing package's own
// support must fail the test that was running.
package subtests

import (
	"runtime"
	"sync"
	"testing"
)

// A meeting keeps parallel subtests until all have begun, without ordering
// them for anybody who watches the synchronization: otherwise a subtest that
// ends before another one begins is ordered before it by the testing package.
// It needs -test.parallel to be at least the number of subtests.
type meeting [3]uint32

//go:norace
//go:noinline
func (m *meeting) arrive(i int) { m[i] = 1 }

//go:norace
//go:noinline
func (m *meeting) full() bool { return m[0]+m[1]+m[2] == 3 }

func (m *meeting) attend(i int) {
	m.arrive(i)
	for !m.full() {
		runtime.Gosched()
	}
}

var tables = []struct {
	name string
	in   int
}{{"one", 1}, {"two", 2}, {"three", 3}}

// TestTableShared has parallel subtests that set one variable of the parent.
func TestTableShared(t *testing.T) {
	var got int
	var m meeting
	for i, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m.attend(i)
			got = tt.in * 2 // want race: got
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
	var m meeting
	for i, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m.attend(i)
			s.requests += tt.in // want race: s.requests
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
