package m

import (
	"sync"
	"testing"
)

var total, n int

// Where Fatal ends this test, its task goes on beside others.
func TestQuits(t *testing.T) {
	total = 1 // want total w:
	var wg sync.WaitGroup
	wg.Go(func() {
		total++ // want total w:
	})
	if n > 0 {
		t.Fatal("n")
	}
	wg.Wait()
	total++ // want total w:
}

func TestNext(t *testing.T) {
	total = 2 // want total w:
	n = 1     // want n w: local readonly
}

func BenchmarkNext(b *testing.B) {
	total = 3 // want total w:
}
