package splice

// With Config.Shadow instrumented code tests the shadow of memory itself, the entry of
// the word accessed, before it calls the check: detectors of serial execution keep
// one entry of 8 bytes for each word, at an address that follows from the word's. A
// type whose size is its alignment lies within a word. What the test does not know calls
// the check.

// shadowPreamble mirrors the head of the task of such a detector (espbags.Task).
const shadowPreamble = `type _ti_task struct {
	base unsafe.Pointer
	mask uintptr
	okw  uint64
	own  uint64
	okr  uint64
}

type _ti_checker = func(t *_ti_task, p unsafe.Pointer, n, kind uintptr, s *uint32)
`

// shadowHelpers stand for those of the same name in helpers.
var shadowHelpers = map[string]string{
	"_ti_r": `
// _ti_r checks a read of *p in a loop.
func _ti_r[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) *T {
	#count
	if x := *(*uint64)(unsafe.Add(t.base, uintptr(unsafe.Pointer(p))&t.mask)); unsafe.Sizeof(*p) != unsafe.Alignof(*p) || x != t.own && x != t.okr && x != t.okw {
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	}
	return p
}
`,
	"_ti_w": `
// _ti_w checks a write of *p in a loop.
func _ti_w[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) *T {
	#count
	if unsafe.Sizeof(*p) != unsafe.Alignof(*p) || *(*uint64)(unsafe.Add(t.base, uintptr(unsafe.Pointer(p))&t.mask)) != t.okw {
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	}
	return p
}
`,
	"_ti_rf": `
// _ti_rf is _ti_r unless skip is set: a check before the loop stands for it.
func _ti_rf[T interface{}](t *_ti_task, check _ti_checker, skip bool, p *T, s *uint32) *T {
	#count !skip
	if !skip {
		if x := *(*uint64)(unsafe.Add(t.base, uintptr(unsafe.Pointer(p))&t.mask)); unsafe.Sizeof(*p) != unsafe.Alignof(*p) || x != t.own && x != t.okr && x != t.okw {
			check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
		}
	}
	return p
}
`,
	"_ti_wf": `
// _ti_wf is _ti_w unless skip is set.
func _ti_wf[T interface{}](t *_ti_task, check _ti_checker, skip bool, p *T, s *uint32) *T {
	#count !skip
	if !skip && (unsafe.Sizeof(*p) != unsafe.Alignof(*p) || *(*uint64)(unsafe.Add(t.base, uintptr(unsafe.Pointer(p))&t.mask)) != t.okw) {
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	}
	return p
}
`,
	"_ti_gmiss": `
// _ti_gmiss takes note of a read of n bytes at p that are not behind those of g. It
// reports whether they begin another range, and the one before, g.q, is to be
// checked.
//
//go:noinline
func _ti_gmiss(t *_ti_task, g *_ti_gather, p unsafe.Pointer, n uintptr) bool {
	if x := *(*uint64)(unsafe.Add(t.base, uintptr(p)&t.mask)); uintptr(p)%8+n <= 8 && (x == t.own || x == t.okr || x == t.okw) {
		#count
		return false
	}
	return _ti_gnext(g, p, n)
}
`,
	"_ti_gmissw": `
// _ti_gmissw is _ti_gmiss for a write.
//
//go:noinline
func _ti_gmissw(t *_ti_task, g *_ti_gather, p unsafe.Pointer, n uintptr) bool {
	if uintptr(p)%8+n <= 8 && *(*uint64)(unsafe.Add(t.base, uintptr(p)&t.mask)) == t.okw {
		#count
		return false
	}
	return _ti_gnext(g, p, n)
}
`,
}
