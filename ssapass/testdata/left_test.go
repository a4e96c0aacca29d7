package m

import (
	"sync"
	"testing"
)

var total, leaked, gone int

type server struct{ wg sync.WaitGroup }

func (s *server) start() {
	s.wg.Go(func() {
		leaked++ // want leaked w:
		go func() { gone++ }()
	})
}

// The tasks that this test leaves behind touch leaked and gone.
func TestLeaves(t *testing.T) {
	var s server
	s.start()
	s.wg.Wait()
	total = 1 // want total w:
}

func TestNext(t *testing.T) {
	total = 2  // want total w: sequential
	leaked = 1 // want leaked w:
	gone = 1   // want gone w:
	var wg sync.WaitGroup
	wg.Go(func() { total = 3 }) // want total w:
	wg.Wait()
	total = 4 // want total w: sequential
}
