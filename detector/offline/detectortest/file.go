package detectortest

import (
	"math/rand/v2"
	"os"
	"testing"

	"taskinstr/detector/offline/differential"
	"taskinstr/detector/trace"
)

// RandomFile writes the trace of a random structured program into a file.
func RandomFile(t testing.TB, name string, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := trace.NewWriter(f)
	for _, e := range differential.Random(r, 60, differential.Features{Finish: true, Promises: true, Locks: true}).Run(r) {
		w.Event(&e)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
