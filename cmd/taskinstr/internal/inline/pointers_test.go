package inline

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Each function says whether the compiler must instrument it.
const converting = `package x

import "unsafe"

type pair struct {
	p *int
	n int
}

type wide struct{ a, b, c int64 }

func Bits_sure(f float64) uint64 { return *(*uint64)(unsafe.Pointer(&f)) }

func Text_sure(b []byte) string { return *(*string)(unsafe.Pointer(&b)) }

func Longer_fails(s string) []byte { return *(*[]byte)(unsafe.Pointer(&s)) }

func Aligned_fails(b *[16]byte) *pair { return (*pair)(unsafe.Pointer(b)) }

func Part_sure(w *wide) *pair { return (*pair)(unsafe.Pointer(w)) }

func Unknown_fails(p unsafe.Pointer) *int64 { return (*int64)(p) }

func Number_fails(n uintptr) unsafe.Pointer { return unsafe.Pointer(n) }

func Forth_sure(p *int) uintptr { return uintptr(unsafe.Pointer(p)) }

func Add_fails(p *int64) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(p), 8) }

func Slice_fails(p *int64, n int) []int64 { return unsafe.Slice(p, n) }

func Whole_sure(w struct{ b []byte }) string { return unsafe.String(unsafe.SliceData(w.b), len(w.b)) }

func First_sure(b []byte) string { return unsafe.String(&b[0], len(b)) }

func Second_fails(b []byte) string { return unsafe.String(&b[1], len(b)) }

func Other_fails(b, c []byte) string { return unsafe.String(&b[0], len(c)) }

func Back_sure(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

func Generic_fails[T any](b *[64]byte) *T { return (*T)(unsafe.Pointer(b)) }

func Same_sure[T any](p *T) *[1]byte { return (*[1]byte)(nil) }

func Caller_fails(p unsafe.Pointer) int64 { return *Unknown_fails(p) }

func Chain_fails(p unsafe.Pointer) int64 { return Caller_fails(p) + 1 }

func Longer_chain_fails(p unsafe.Pointer) int64 { return Chain_fails(p) + 1 }

func Longest_chain_fails(p unsafe.Pointer) int64 { return Longer_chain_fails(p) + 1 }

func Value_fails() func(unsafe.Pointer) *int64 { return Unknown_fails }

func Instance_fails(b *[64]byte) *pair { return Generic_fails[pair](b) }

func Imported_fails(s string) { known.Fails(s) }

//go:noinline
func apart_fails(p unsafe.Pointer) *int64 { return (*int64)(p) }

func Apart_sure(p unsafe.Pointer) *int64 { return apart_fails(p) }

func Large_sure(xs []string) (n int) {
	for i, x := range xs {
		n += len(x)*i + len(x)<<1 ^ len(x)<<2 + len(xs)*n - i*i*i ^ len(x)*len(xs) + n*i - len(x) + 4*i*n
		n ^= len(x)*i + len(x)<<1 ^ len(x)<<2 + len(xs)*n - i*i*i ^ len(x)*len(xs) + n*i - len(x) + 4*i*n
	}
	return n
}
`

// TestCheckptr asks for each function of converting whether its conversions of unsafe pointers can fail, and for the functions that
// importers learn of.
func TestCheckptr(t *testing.T) {
	known := Unproven{}
	known.Add([]byte("strings.Clone\n"))
	src := strings.Replace(strings.Replace(converting, `import "unsafe"`, "import (\n\t\"unsafe\"\n\tknown \"strings\"\n)", 1), "known.Fails", "known.Clone", 1)
	p := checked(t, "a.b/x.y", src)
	p.Sizes = types.SizesFor("gc", "amd64")
	r := Analyze(p, nil, known)
	if !r.Checkptr() {
		t.Error("no conversion can fail")
	}
	marked := []string{}
	for _, d := range p.Files[0].Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := d.Name.Name
		if got, want := r.instrument[d], strings.HasSuffix(name, "_fails"); got != want {
			t.Errorf("%s: instrumented %v", name, got)
		}
		if r.NoCheckptr(d) {
			marked = append(marked, name)
		}
	}
	// Functions that are not inlined get the directive.
	if got := strings.Join(marked, " "); got != "Large_sure" {
		t.Errorf("marked are %q", got)
	}
	text := string(r.Unproven.Encode())
	again := Unproven{}
	again.Add([]byte(text))
	if !maps.Equal(again, r.Unproven) {
		t.Errorf("decoded: %v, encoded: %v", again, r.Unproven)
	}
	for _, name := range []string{"strings.Clone", "a.b/x%2ey.Unknown_fails", "a.b/x%2ey.Caller_fails", "a.b/x%2ey.Generic_fails", "a.b/x%2ey.Instance_fails"} {
		if !slices.Contains(strings.Fields(text), name) {
			t.Errorf("importers do not learn of %s", name)
		}
	}
	if strings.Contains(text, "apart_fails") || strings.Contains(text, "_sure") {
		t.Errorf("importers learn of too many functions:\n%s", text)
	}

	// The same text without such functions.
	p = checked(t, "x", "package x\n\nimport \"strings\"\n\nfunc F(s string) string { return strings.Clone(s) }\n")
	p.Sizes = types.SizesFor("gc", "amd64")
	if r := Analyze(p, nil, Unproven{}); r.Checkptr() {
		t.Error("conversions can fail in a package without any")
	}
	if r := Analyze(p, nil, Unproven{"strings.Clone": true}); !r.Checkptr() {
		t.Error("no conversion can fail in an inlined body")
	}
}
