package detectortest

import (
	"bytes"
	"io"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/trace"
)

// Source writes a trace to memory and returns a source for it.
func Source(t testing.TB, events []event.Event) trace.Source {
	t.Helper()
	var b bytes.Buffer
	w := trace.NewWriter(&b)
	for i := range events {
		w.Event(&events[i])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return func() (*trace.Reader, io.Closer, error) {
		r, err := trace.NewReader(bytes.NewReader(b.Bytes()))
		return r, io.NopCloser(nil), err
	}
}
