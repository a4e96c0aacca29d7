package m

import "testing"

var total, n int

func TestParallel(t *testing.T) {
	t.Parallel()
	total = 1 // want total w:
}

func TestToo(t *testing.T) {
	t.Parallel()
	total = 2 // want total w:
}

func TestNext(t *testing.T) {
	total = 2 // want total w:
	n++       // want n w:
	total = n // want total w: / n r:
}

func BenchmarkNext(b *testing.B) {
	total = 3 // want total w:
}
