// Command mp3 decodes the same stream in four tasks. The stream has frames that are correct in form
// and hold noise.
package main

import (
	"bytes"
	"crypto/sha256"
	"io"
	"log"
	"sync"

	"github.com/hajimehoshi/go-mp3"
)

const (
	tasks  = 4
	frames = 60
	// The frame of MPEG 1, layer 3, at 128 kbit/s and 44.1 kHz, in two channels.
	header = 0xfffb9000
	length = 417
	side   = 32 // bytes of side information
	part   = (length - 4 - side) * 8 / 4
)

func main() {
	packed := stream()
	var sums [tasks][32]byte
	var wg sync.WaitGroup
	for task := range tasks {
		wg.Go(func() {
			d := must(mp3.NewDecoder(bytes.NewReader(packed)))
			h := sha256.New()
			n, err := io.Copy(h, d)
			if err != nil || n < (frames-1)*1152*4 {
				log.Fatalf("task %d: %d bytes, %v", task, n, err)
			}
			h.Sum(sums[task][:0])
		})
	}
	wg.Wait()
	alike(sums[:])
}

// A bitWriter packs bits, the highest first.
type bitWriter struct {
	b []byte
	n int
}

func (w *bitWriter) put(v, bits int) {
	for bits--; bits >= 0; bits-- {
		if w.n%8 == 0 {
			w.b = append(w.b, 0)
		}
		w.b[w.n/8] |= byte(v>>bits&1) << (7 - w.n%8)
		w.n++
	}
}

func stream() []byte {
	w := &bitWriter{}
	noise := uint32(1)
	for range frames {
		start := len(w.b)
		w.put(header, 32)
		w.put(0, 9+3+8) // the main data begins here; no scale factors are shared
		for range 2 * 2 {
			w.put(part, 12)
			w.put(70, 9)  // pairs of big values
			w.put(170, 8) // gain
			w.put(0, 4+1)
			for _, table := range []int{7, 5, 2} {
				w.put(table, 5)
			}
			w.put(6, 4)
			w.put(4, 3)
			w.put(0, 3)
		}
		for len(w.b) < start+length {
			noise = noise*1664525 + 1013904223
			w.put(int(noise>>24), 8)
		}
	}
	return w.b
}
