package oracle

import (
	"flag"
	"math/rand/v2"
	"testing"

	"taskinstr/detector"
)

var (
	sequences = flag.Int("sequences", 4000, "random event sequences to compare")
	seed      = flag.Uint64("seed", 1, "of the sequences")
)

var modes = []struct {
	name string
	o    detector.Options
}{
	{"weak", detector.Options{}},
	{"all", detector.Options{All: true}},
	{"hb", detector.Options{NoPredict: true}},
}

func fail(t *testing.T, trace []Event, o detector.Options, err error) {
	t.Helper()
	trace = Shrink(trace, func(x []Event) bool { return Check(x, o, nil) != nil })
	t.Fatalf("%v\nshrunk: %v\n%+v\n%s", err, Check(trace, o, nil), o, Format(trace))
}

func TestRandomSequences(t *testing.T) {
	var n Tally
	rnd := rand.New(rand.NewPCG(*seed, 0))
	for i := 0; i < *sequences; i++ {
		b := make([]byte, 40+rnd.IntN(700))
		for k := range b {
			b[k] = byte(rnd.Uint32())
		}
		trace := Generate(b)
		m := modes[0]
		if i%4 == 3 {
			m = modes[1+i/4%2]
		}
		m.o.Misses = uint32(i % 5) // caches grow at different times
		if err := Check(trace, m.o, &n); err != nil {
			t.Logf("sequence %d", i)
			fail(t, trace, m.o, err)
		}
	}
	t.Logf("%d sequences: %+v", *sequences, n)
	if n.Races == 0 || n.Predicted == 0 || n.Skipped == 0 {
		t.Errorf("the sequences do not exercise everything: %+v", n)
	}
}

func FuzzEngineAgainstOracle(f *testing.F) {
	f.Add([]byte("\x00\x01\x02"), uint8(0))
	f.Fuzz(func(t *testing.T, b []byte, mode uint8) {
		if len(b) > 1000 {
			return
		}
		m := modes[int(mode)%len(modes)]
		m.o.Misses = uint32(mode) / 8
		trace := Generate(b)
		if err := Check(trace, m.o, nil); err != nil {
			fail(t, trace, m.o, err)
		}
	})
}
