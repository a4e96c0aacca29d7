package trace

import (
	"errors"
	"io"
	"os"

	"taskinstr/detector/event"
)

// A Source opens a trace from its beginning. It may be called several times.
type Source func() (*Reader, io.Closer, error)

// File returns the source of the trace in a file.
func File(name string) Source {
	return func() (*Reader, io.Closer, error) {
		f, err := os.Open(name)
		if err != nil {
			return nil, nil, err
		}
		r, err := NewReader(f)
		if err != nil {
			f.Close()
			return nil, nil, err
		}
		return r, f, nil
	}
}

// Each calls f for each event of the trace. The event is valid until f returns.
func (open Source) Each(f func(*Reader, *event.Event)) (*Reader, error) {
	r, c, err := open()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	var e event.Event
	for {
		switch err := r.Next(&e); {
		case errors.Is(err, io.EOF):
			return r, nil
		case err != nil:
			return r, err
		}
		f(r, &e)
	}
}
