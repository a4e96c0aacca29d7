// Arrays that belong to the owners of pooled objects.
package lists

import (
	"io"
	"strconv"
	"sync"
)

type text []byte

type printer struct {
	out    text
	digits [64]byte
	stack  []int
	names  []*int
	self   *text
}

var printers = sync.Pool{New: func() any { return new(printer) }}

func (t *text) str(s string) {
	*t = append(*t, s...) // want append(*t, s...) we: guarded / s re: kept
}

func (t *text) bytes(b []byte) {
	*t = append(*t, b...) // want append(*t, b...) we: guarded / b re: guarded — lists of all callers
}

func (t *text) any(b []byte) {
	*t = append(*t, b...) // want append(*t, b...) we: guarded / b re: kept — Write's argument
}

func (p *printer) int(n int) {
	buf := p.digits[:]
	if n > 1<<20 {
		buf = make([]byte, 100)
	}
	i := len(buf)
	for n > 0 {
		i--
		buf[i] = byte('0' + n%10) // want buf[i] w: guarded
		n /= 10
	}
	p.digits[0] = 0 // want p.digits[0] w: guarded
	p.out.bytes(buf[i:])
	p.out = strconv.AppendInt(p.out, int64(n), 10)
	p.out[0] = ' '     // want p.out[0] w: guarded
	(*p.self)[0] = '.' // want (*p.self)[0] w: guarded
}

func (p *printer) pad(n int) {
	buf := p.out
	if len(buf)+n > cap(buf) {
		buf = make(text, cap(buf)*2+n)
		copy(buf, p.out) // want buf we: guarded / p.out re: guarded
	}
	fill := buf[len(p.out):]
	for i := range fill {
		fill[i] = ' ' // want fill[i] w: guarded
	}
	p.out = buf
	p.stack[0] = n   // want p.stack[0] w: guarded
	p.names[0] = nil // want p.names[0] w: kept — elements with pointers
}

// Write gets bytes of others.
func (p *printer) Write(b []byte) (int, error) {
	p.out.any(b)
	return len(b), nil
}

func Print(w io.Writer, n int) string {
	p := printers.Get().(*printer)
	p.self = &p.out
	p.int(n)
	p.pad(2)
	p.out.str("x")
	p.out.any(p.digits[:1])
	w.Write(p.out)
	s := string(p.out)
	p.out = p.out[:0]
	printers.Put(p)
	return s
}
