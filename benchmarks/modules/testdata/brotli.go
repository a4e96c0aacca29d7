// Command brotli packs and unpacks text at two levels in four tasks.
package main

import (
	"bytes"
	"io"
	"log"
	"sync"

	"github.com/andybalholm/brotli"
)

const (
	tasks  = 4
	rounds = 3 // of each task
	lines  = 3000
)

func main() {
	text := prose(lines)
	var wg sync.WaitGroup
	for task := range tasks {
		wg.Go(func() {
			for range rounds {
				pack(text, 3+2*(task%2))
			}
		})
	}
	wg.Wait()
}

func pack(text []byte, level int) {
	var packed bytes.Buffer
	w := brotli.NewWriterLevel(&packed, level)
	must(w.Write(text))
	check(w.Close())
	back, err := io.ReadAll(brotli.NewReader(&packed))
	if err != nil || !bytes.Equal(back, text) {
		log.Fatalf("%d bytes came back of %d, %v", len(back), len(text), err)
	}
}
