//go:build taskinstr_helpers && !taskinstr_shadow

// The helpers of the parallel detector. They test the task's filter, a table of the
// checks that the task has made since its last release, before they call the check.

package helpers

import "unsafe"

type _ti_task struct {
	key    uint64
	filter *[512]uint64
}

type _ti_checker = func(t *_ti_task, p unsafe.Pointer, n, kind uintptr, s *uint32)

type _ti_pointer = unsafe.Pointer

// _ti_entry returns n<<48 if the task's last check at address p, since its last release,
// was of n bytes; bit 63 is set if this check was of a write. It returns another value if
// the filter has no such check.
func _ti_entry(t *_ti_task, p uintptr) uint64 {
	return t.filter[(p>>3^p<<6)&511] ^ t.key ^ uint64(p)
}

// _ti_r checks a read of *p in a loop. The compiler inlines the test of the filter. It
// regards calls of parameters as cheap, so the check is a parameter.
func _ti_r[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	if unsafe.Sizeof(*p) >= 64 || _ti_entry(t, uintptr(unsafe.Pointer(p)))<<1 != uint64(unsafe.Sizeof(*p)%64)<<49 {
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	}
	return p
}

// _ti_w checks a write of *p in a loop.
func _ti_w[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	if unsafe.Sizeof(*p) >= 64 || _ti_entry(t, uintptr(unsafe.Pointer(p))) != uint64(unsafe.Sizeof(*p)%64)<<48|1<<63 {
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	}
	return p
}

// _ti_rf is _ti_r, except that skip leaves out the check: a check before the loop covers
// it.
func _ti_rf[T interface{}](t *_ti_task, check _ti_checker, skip bool, p *T, s *uint32) *T {
	if !skip {
		_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	}
	if !skip && (unsafe.Sizeof(*p) >= 64 || _ti_entry(t, uintptr(unsafe.Pointer(p)))<<1 != uint64(unsafe.Sizeof(*p)%64)<<49) {
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	}
	return p
}

// _ti_wf is _ti_w, except that skip leaves out the check.
func _ti_wf[T interface{}](t *_ti_task, check _ti_checker, skip bool, p *T, s *uint32) *T {
	if !skip {
		_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	}
	if !skip && (unsafe.Sizeof(*p) >= 64 || _ti_entry(t, uintptr(unsafe.Pointer(p))) != uint64(unsafe.Sizeof(*p)%64)<<48|1<<63) {
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	}
	return p
}

// _ti_rxl is _ti_rx in a loop, for n less than 64.
func _ti_rxl[T interface{}](t *_ti_task, check _ti_checker, back, n uintptr, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), n, back<<8, s)
	if _ti_entry(t, (uintptr(unsafe.Pointer(p))-back))<<1 != uint64(n)<<49 {
		check(t, unsafe.Pointer(p), n, back<<8, s)
	}
	return p
}

// _ti_wxl is _ti_wx in a loop, for n less than 64.
func _ti_wxl[T interface{}](t *_ti_task, check _ti_checker, back, n uintptr, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), n, back<<8|1, s)
	if _ti_entry(t, (uintptr(unsafe.Pointer(p))-back)) != uint64(n)<<48|1<<63 {
		check(t, unsafe.Pointer(p), n, back<<8|1, s)
	}
	return p
}

// _ti_gmiss adds a read of n bytes at p to g. The read does not continue the range at g.p.
// _ti_gmiss reports whether the caller must check the range that is due now, of g.l bytes
// at g.c.
//
//go:noinline
func _ti_gmiss(t *_ti_task, g *_ti_gather, p unsafe.Pointer, n uintptr) bool {
	if g.marks != nil && _ti_gset(g, uintptr(p), n) {
		return false
	}
	if n < 64 && _ti_entry(t, uintptr(p))<<1 == uint64(n)<<49 {
		_ti_count(p, n, 0, nil)
		return false
	}
	return _ti_gnext(g, p, n)
}

// _ti_gmissw is _ti_gmiss for a write.
//
//go:noinline
func _ti_gmissw(t *_ti_task, g *_ti_gather, p unsafe.Pointer, n uintptr) bool {
	if g.marks != nil && _ti_gset(g, uintptr(p), n) {
		return false
	}
	if n < 64 && _ti_entry(t, uintptr(p)) == uint64(n)<<48|1<<63 {
		_ti_count(p, n, 1, nil)
		return false
	}
	return _ti_gnext(g, p, n)
}
