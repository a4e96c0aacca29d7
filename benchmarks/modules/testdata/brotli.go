// Command brotli packs and unpacks text at two levels in four tasks.
package main

import (
	"bytes"
	"fmt"
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
	log.SetFlags(0)
	var b bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&b, "line %d of the text says %d things about %x\n", i, i%17, i*i)
	}
	text := b.Bytes()
	var wg sync.WaitGroup
	for task := range tasks {
		wg.Go(func() {
			for range rounds {
				check(text, 3+2*(task%2))
			}
		})
	}
	wg.Wait()
}

func check(text []byte, level int) {
	var packed bytes.Buffer
	w := brotli.NewWriterLevel(&packed, level)
	if _, err := w.Write(text); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	back, err := io.ReadAll(brotli.NewReader(&packed))
	if err != nil || !bytes.Equal(back, text) {
		log.Fatalf("%d bytes came back of %d, %v", len(back), len(text), err)
	}
}
