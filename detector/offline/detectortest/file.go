package detectortest

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
	"taskinstr/detector/trace"
)

// File returns the file of a trace.
func File(t testing.TB, events []event.Event) []byte {
	t.Helper()
	var b bytes.Buffer
	w := trace.NewWriter(&b)
	for i := range events {
		w.Event(&events[i])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// RandomFile writes the trace of a random structured program into a file.
func RandomFile(t testing.TB, name string, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	p := differential.Random(r, 60, differential.Features{Finish: true, Promises: true, Locks: true})
	if err := os.WriteFile(name, File(t, p.Run(r)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Source returns a source for a trace.
func Source(t testing.TB, events []event.Event) trace.Source {
	t.Helper()
	file := File(t, events)
	return func() (*trace.Reader, io.Closer, error) {
		r, err := trace.NewReader(bytes.NewReader(file))
		return r, io.NopCloser(nil), err
	}
}
