// Command flac encodes and decodes tones in four tasks.
package main

import (
	"bytes"
	"io"
	"log"
	"math"
	"sync"

	"github.com/mewkiz/flac"
	"github.com/mewkiz/flac/frame"
	"github.com/mewkiz/flac/meta"
)

const (
	tasks    = 4
	rate     = 44100
	bits     = 16
	block    = 4096 // samples of a frame
	frames   = 10
	channels = 2
)

func main() {
	var wg sync.WaitGroup
	for task := range tasks {
		wg.Go(func() {
			tones := make([][]int32, channels)
			for c := range tones {
				tones[c] = make([]int32, block*frames)
				for i := range tones[c] {
					x := float64(i*(c+1)*(task+5)) / rate
					tones[c][i] = int32(9000*math.Sin(440*x) + 500*math.Cos(3000*x))
				}
			}
			decode(task, encode(task, tones), tones)
		})
	}
	wg.Wait()
}

func encode(task int, tones [][]int32) *bytes.Buffer {
	var b bytes.Buffer
	w := must(flac.NewEncoder(&b, &meta.StreamInfo{
		BlockSizeMin: block, BlockSizeMax: block,
		SampleRate: rate, NChannels: channels, BitsPerSample: bits, NSamples: block * frames,
	}))
	for n := range frames {
		f := &frame.Frame{Header: frame.Header{
			HasFixedBlockSize: true, BlockSize: block, SampleRate: rate,
			Channels: frame.ChannelsLR, BitsPerSample: bits, Num: uint64(n),
		}}
		for _, tone := range tones {
			f.Subframes = append(f.Subframes, &frame.Subframe{
				SubHeader: frame.SubHeader{Pred: frame.PredVerbatim},
				Samples:   append([]int32(nil), tone[n*block:(n+1)*block]...),
				NSamples:  block,
			})
		}
		if err := w.WriteFrame(f); err != nil {
			log.Fatalf("task %d: %v", task, err)
		}
	}
	check(w.Close())
	return &b
}

func decode(task int, packed io.Reader, tones [][]int32) {
	r := must(flac.New(packed))
	for n := range frames {
		f, err := r.ParseNext()
		if err != nil {
			log.Fatalf("task %d: %v", task, err)
		}
		for c, s := range f.Subframes {
			for i, x := range s.Samples {
				if x != tones[c][n*block+i] {
					log.Fatalf("task %d: frame %d, sample %d is %d, want %d", task, n, i, x, tones[c][n*block+i])
				}
			}
		}
	}
}
