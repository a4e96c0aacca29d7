//go:build taskinstr_helpers && taskinstr_shadow

// The helpers of detectors of serial execution (Config.Shadow). Such a detector has one
// entry of 8 bytes for each word of memory, at an address that follows from the word's
// address. The helpers test the entry before they call the check. A type whose size is
// its alignment lies within one word; accesses of other types call the check at once.

package helpers

import "unsafe"

// The head of the task mirrors espbags.Task.

type _ti_task struct {
	base unsafe.Pointer
	mask uintptr
	okw  uint64
	own  uint64
	okr  uint64
}

type _ti_checker = func(t *_ti_task, p unsafe.Pointer, n, kind uintptr, s *uint32)

type _ti_pointer = unsafe.Pointer

// _ti_entry returns the entry of the word at p.
func _ti_entry(t *_ti_task, p uintptr) uint64 {
	return *(*uint64)(unsafe.Add(t.base, p&t.mask))
}

// _ti_r checks a read of *p in a loop.
func _ti_r[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	if x := _ti_entry(t, uintptr(unsafe.Pointer(p))); unsafe.Sizeof(*p) != unsafe.Alignof(*p) || x != t.own && x != t.okr && x != t.okw {
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	}
	return p
}

// _ti_w checks a write of *p in a loop.
func _ti_w[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	if unsafe.Sizeof(*p) != unsafe.Alignof(*p) || _ti_entry(t, uintptr(unsafe.Pointer(p))) != t.okw {
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
	if !skip {
		if x := _ti_entry(t, uintptr(unsafe.Pointer(p))); unsafe.Sizeof(*p) != unsafe.Alignof(*p) || x != t.own && x != t.okr && x != t.okw {
			check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
		}
	}
	return p
}

// _ti_wf is _ti_w, except that skip leaves out the check.
func _ti_wf[T interface{}](t *_ti_task, check _ti_checker, skip bool, p *T, s *uint32) *T {
	if !skip {
		_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	}
	if !skip && (unsafe.Sizeof(*p) != unsafe.Alignof(*p) || _ti_entry(t, uintptr(unsafe.Pointer(p))) != t.okw) {
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	}
	return p
}

// _ti_rxl is _ti_rx in a loop. The bytes may lie in several words.
func _ti_rxl[T interface{}](t *_ti_task, check _ti_checker, back, n uintptr, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), n, back<<8, s)
	check(t, unsafe.Pointer(p), n, back<<8, s)
	return p
}

// _ti_wxl is _ti_wx in a loop.
func _ti_wxl[T interface{}](t *_ti_task, check _ti_checker, back, n uintptr, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), n, back<<8|1, s)
	check(t, unsafe.Pointer(p), n, back<<8|1, s)
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
	if x := _ti_entry(t, uintptr(p)); uintptr(p)%8+n <= 8 && (x == t.own || x == t.okr || x == t.okw) {
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
	if uintptr(p)%8+n <= 8 && _ti_entry(t, uintptr(p)) == t.okw {
		_ti_count(p, n, 1, nil)
		return false
	}
	return _ti_gnext(g, p, n)
}
