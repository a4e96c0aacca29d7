//go:build !taskinstr_runtime

package serial

// A Word is the history of a word as its entry tells it, for tests of algorithms.
type Word struct {
	Cell            bool // the word has a cell; the rest is 0
	Writer, Readers uint32
	Bytes           uint32
	WriterOrigin    uint32
	ReaderOrigin    uint32
}

// Inspect returns the history of the word at a.
func (e *Engine) Inspect(a uintptr) Word {
	p := e.entry(a)
	w, r, m := unpack(*p)
	if w == hasCell {
		return Word{Cell: true}
	}
	q := *e.places(p)
	return Word{Writer: w, Readers: r, Bytes: m, WriterOrigin: uint32(q), ReaderOrigin: uint32(q >> 32)}
}
