// Command lz4 packs and unpacks blocks of text in four tasks, each with a compressor of its own.
package main

import (
	"bytes"
	"log"
	"sync"

	"github.com/pierrec/lz4/v4"
)

const (
	tasks  = 4
	rounds = 5 // of each task
	lines  = 8000
	block  = 64 << 10
)

func main() {
	text := prose(lines)
	var wg sync.WaitGroup
	for task := range tasks {
		wg.Go(func() {
			var fast lz4.Compressor
			strong := lz4.CompressorHC{Level: lz4.Level1}
			packed, back := make([]byte, lz4.CompressBlockBound(block)), make([]byte, block)
			for round := range rounds {
				for rest := text; len(rest) > 0; {
					piece := rest[:min(block, len(rest))]
					rest = rest[len(piece):]
					var n int
					var err error
					if (task+round)%2 == 0 {
						n, err = fast.CompressBlock(piece, packed)
					} else {
						n, err = strong.CompressBlock(piece, packed)
					}
					if err != nil || n == 0 {
						log.Fatalf("packed %d bytes into %d, %v", len(piece), n, err)
					}
					n, err = lz4.UncompressBlock(packed[:n], back)
					if err != nil || !bytes.Equal(back[:n], piece) {
						log.Fatalf("%d bytes came back of %d, %v", n, len(piece), err)
					}
				}
			}
		})
	}
	wg.Wait()
}
