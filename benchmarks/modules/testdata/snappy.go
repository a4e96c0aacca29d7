// Command snappy packs and unpacks blocks of text in four tasks that share the text.
package main

import (
	"bytes"
	"log"
	"sync"

	"github.com/golang/snappy"
)

const (
	tasks  = 4
	rounds = 20 // of each task
	lines  = 8000
	block  = 64 << 10
)

func main() {
	text := prose(lines)
	var wg sync.WaitGroup
	for range tasks {
		wg.Go(func() {
			var packed, back []byte
			for range rounds {
				for rest := text; len(rest) > 0; {
					piece := rest[:min(block, len(rest))]
					rest = rest[len(piece):]
					packed = snappy.Encode(packed[:cap(packed)], piece)
					var err error
					back, err = snappy.Decode(back[:cap(back)], packed)
					if err != nil || !bytes.Equal(back, piece) {
						log.Fatalf("%d bytes came back of %d, %v", len(back), len(piece), err)
					}
				}
			}
		})
	}
	wg.Wait()
}
