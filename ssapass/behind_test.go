package ssapass

import (
	"strings"
	"testing"
)

// TestBehind: appends to a header are behind it, unless one function of the package makes
// another way to the array. Each change stands for one rule.
func TestBehind(t *testing.T) {
	const builder = `package strings

import "unsafe"

type Builder struct {
	addr *Builder
	buf  []byte
}

var (
	kept   []byte
	shared *Builder
	all    []Builder
	done   = make(chan bool, 1)
)

func (b *Builder) String() string { return unsafe.String(unsafe.SliceData(b.buf), len(b.buf)) }
func (b *Builder) Len() int       { return len(b.buf) }
func (b *Builder) First() byte    { return b.buf[0] }
func (b *Builder) Copy() string   { return string(b.buf) }
func (b *Builder) Tail(p []byte)  { copy(p, b.buf[1:]) }
func (b *Builder) Reset()         { b.buf = nil }

func (b *Builder) Grow(n int) {
	buf := make([]byte, 2*cap(b.buf)+n)[:len(b.buf)]
	copy(buf, b.buf)
	b.buf = buf
}

func (b *Builder) Write(p []byte) { b.buf = append(b.buf, p...) } // append
func (b *Builder) WriteByte(c byte) { // change
	b.buf = append(b.buf, c) // append
}
func (b *Builder) WriteTwo(c byte) { b.buf = two(b.buf, c) }

func two(p []byte, c byte) []byte { return append(p, c, c) } // change callee

// more
`
	for _, c := range []struct {
		name     string
		from, to string
		header   bool
	}{
		{name: "as it is", header: true},
		{"slice of the array", "// more", "func (b *Builder) Bytes() []byte { return b.buf }", false},
		{"shorter", "// more", "func (b *Builder) Cut() { b.buf = b.buf[:0] }", false},
		{"the elements behind the length", "// more", "func (b *Builder) Peek(p []byte) { copy(p, b.buf[:cap(b.buf)]) }", false},
		{"array of the caller", "// more", "func (b *Builder) Use(p []byte) { b.buf = p }", false},
		{"array of another value", "// more", "func (b *Builder) Join(c *Builder) { b.buf = append(c.buf, 1) }", false},
		{"result kept", "// more", "func (b *Builder) Keep() { x := append(b.buf, 1); b.buf = x; kept = x }", false},
		{"address of the field", "// more", "func (b *Builder) Addr() *[]byte { return &b.buf }", false},
		{"address of an element", "// more", "func (b *Builder) At() *byte { return &b.buf[0] }", false},
		{"copy of the struct", "// more", "func (b *Builder) Clone() Builder { return *b }", false},
		{"copy by append", "// more", "func Grow(l []Builder) { all = append(all, l...) }", false},
		{"copy in a struct", "// more", "type pair struct{ a Builder }\nfunc Pair(p *pair) { q := *p; shared = &q.a }", false},
		{"another type", "// more", "type open struct { addr *Builder; buf []byte }\nfunc Open(b *Builder) *open { return (*open)(b) }", false},
		{"hidden pointer", "// more", "func Hide(b *Builder) unsafe.Pointer { return unsafe.Pointer(b) }", false},
		{"found pointer", "// more", "func Find(p unsafe.Pointer) *Builder { return (*Builder)(p) }", false},
		{"string of the array", "// more", "func (b *Builder) All() string { return unsafe.String(unsafe.SliceData(b.buf), cap(b.buf)) }", false},
		{"string of another length", "// more", "func (b *Builder) Part(c *Builder) string { return unsafe.String(unsafe.SliceData(b.buf), len(c.buf)) }", false},
		{"the new array is kept", "b.buf = buf", "b.buf = buf; kept = buf", false},
		{"the new array is written later", "	b.buf = buf", "	b.buf = buf; done <- true; copy(buf[:cap(buf)], b.buf)", false},
		{"the header is stored later", "	b.buf = append(b.buf, c) // append", "	x := append(b.buf, c); done <- true; b.buf = x", false},
		{"the header may not be stored", "	b.buf = append(b.buf, c) // append", "	x := append(b.buf, c); if c > 1 { b.buf = x }", false},
		{"the callee keeps the array", "return append(p, c, c)", "kept = p; return append(p, c, c)", false},
		{"the callee orders tasks", "return append(p, c, c)", "done <- true; return append(p, c, c)", false},
		{"the result of the callee kept", "// more", "func (b *Builder) Two() { kept = two(b.buf, 1) }", false},
		{"append to another array", "// more", "func (b *Builder) Over(p []byte) { b.buf = append(p, 1) }", false},
		{"copy as a parameter", "// more", "func (b Builder) Add(c byte) { b.buf = append(b.buf, c); shared = &b }", false},
		{"code without checks", "// more", "//go:norace\nfunc Quiet(b *Builder) { shared = b }", false},
		{"another type's field", "type Builder struct", "type Other struct { buf []byte }\nfunc (o *Other) Add(c byte) { o.buf = append(o.buf, c) }\ntype Builder struct", true},
		{"another package", "// more", "", false},
		{"an unknown type", "Builder", "Maker", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := builder
			if c.from != "" {
				n := 1
				if c.from == "Builder" {
					n = -1
				}
				src = strings.Replace(builder, c.from, c.to, n)
				if src == builder {
					t.Fatal("the change changes nothing")
				}
			}
			path := "strings"
			if c.name == "another package" {
				path = "other"
			}
			a := analyzeChained(t, map[string]*chained{}, path, src).analysis
			lines := strings.Split(src, "\n")
			for _, s := range a.Sites.List {
				l := lines[s.Key.Line-1]
				if !s.Key.Elems || !s.Key.Write {
					continue
				}
				for _, x := range s.Accesses {
					want := c.header && strings.HasSuffix(l, "// append")
					if got := a.Behind(x); got != want {
						t.Errorf("%s: %s in %q: behind %v", x.Fn, s.Key.Expr, l, got)
					}
				}
			}
		})
	}
}
