// Command klauspost-compress packs and unpacks text with zstd, gzip and s2 in four tasks; zstd and
// s2 run tasks of their own.
package main

import (
	"bytes"
	"io"
	"log"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

const (
	tasks  = 4
	rounds = 2 // of each task
	lines  = 6000
)

func main() {
	text := prose(lines)
	// EncodeAll and DecodeAll may be called from several tasks.
	all := must(zstd.NewWriter(nil, zstd.WithEncoderConcurrency(tasks)))
	none := must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(tasks)))
	defer none.Close()
	var wg sync.WaitGroup
	for range tasks {
		wg.Go(func() {
			for range rounds {
				back, err := none.DecodeAll(all.EncodeAll(text, nil), nil)
				same("zstd", text, back, err)
				zstdStream(text)
				gzipStream(text)
				s2Stream(text)
			}
		})
	}
	wg.Wait()
}

func zstdStream(text []byte) {
	var packed bytes.Buffer
	w := must(zstd.NewWriter(&packed, zstd.WithEncoderConcurrency(2)))
	write(w, text)
	r := must(zstd.NewReader(&packed, zstd.WithDecoderConcurrency(2)))
	defer r.Close()
	back, err := io.ReadAll(r)
	same("a zstd stream", text, back, err)
}

func gzipStream(text []byte) {
	var packed bytes.Buffer
	write(gzip.NewWriter(&packed), text)
	r := must(gzip.NewReader(&packed))
	back, err := io.ReadAll(r)
	same("gzip", text, back, err)
}

func s2Stream(text []byte) {
	var packed bytes.Buffer
	write(s2.NewWriter(&packed, s2.WriterConcurrency(2), s2.WriterBlockSize(64<<10)), text)
	back, err := io.ReadAll(s2.NewReader(&packed))
	same("s2", text, back, err)
}

func write(w io.WriteCloser, text []byte) {
	must(w.Write(text))
	check(w.Close())
}

func same(what string, want, got []byte, err error) {
	if err != nil || !bytes.Equal(want, got) {
		log.Fatalf("%s: %d bytes came back of %d, %v", what, len(got), len(want), err)
	}
}
