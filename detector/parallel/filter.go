package parallel

import "unsafe"

// A filter is the table that instrumented code reads before it reports an access. The
// first filter of the arena belongs to no task and stays empty.
type filter [filterSize]uint64

const (
	filterSize  = 512
	filterMask  = 8 * (filterSize - 1)
	filterLimit = 16 // calls of Probe before a task gets a filter
)

func (e *Engine) filterOf(t *Task) *filter { return (*filter)(e.filters.At(t.filterAt)) }

// filterEntry returns the entry for addr. The hash spreads neighbouring words, and the
// bytes of a word, over the filter.
//
//go:nosplit
func (t *Task) filterEntry(addr uintptr) *uint64 {
	return (*uint64)(unsafe.Add(nil, t.filter+(addr^addr<<9)&filterMask))
}

// filterDue reports whether t, which has no filter, should get one now. Access gives it.
//
//go:nosplit
func (t *Task) filterDue() bool {
	if t.patience != 0 {
		t.patience--
		return false
	}
	return true
}

// initFilter makes t, a new task, one without a filter.
func (e *Engine) initFilter(t *Task) {
	t.filter, t.filterAt, t.patience = e.filters.Base, 0, e.opt.Patience
	t.entries, t.entryMask = uintptr(unsafe.Pointer(&t.noEntry)), 0
}

// releaseFilter takes the filter back from t, which ends.
func (e *Engine) releaseFilter(t *Task) {
	if t.filterAt != 0 {
		e.filters.Put(t.filterAt)
	}
	e.initFilter(t)
}

// giveFilter gives t a filter of its own.
func (e *Engine) giveFilter(t *Task) {
	t.filterAt = e.filters.Get()
	*e.filterOf(t) = filter{}
	t.filter = uintptr(e.filters.At(t.filterAt))
	t.entries, t.entryMask = t.filter, filterMask
}

// addToFilter makes t's filter hold back repetitions of an access.
//
//go:nosplit
//taskinstr:inline
func (t *Task) addToFilter(addr, n uintptr, k Kind) {
	if n >= 64 || k.Atomic() && (n != 4 && n != 8 || addr%4 != 0) {
		return
	}
	f := t.key | uint64(addr)&(1<<addrBits-1)
	if k.Atomic() {
		// The entry of an atomic access has its 4 or 8 bytes in the low bits of the address, and the length 0, so
		// no entry of a plain access equals it.
		f |= uint64(n / 4)
	} else {
		f |= uint64(n) << addrBits
	}
	if k.Writes() {
		f |= 1 << 63
	}
	*(*uint64)(unsafe.Add(nil, t.entries+(addr^addr<<9)&t.entryMask)) = f
}

// Filtered reports whether t's filter holds back an access, as the inline test of
// instrumented code does.
//
//go:nosplit
func (t *Task) Filtered(addr, n uintptr, k Kind) bool {
	f := t.key | uint64(addr) | uint64(n)<<addrBits
	e := *t.filterEntry(addr)
	return e == f|1<<63 || k == Read && e == f
}

// FilteredLoad is Filtered for an atomic load. A load that the filter holds back changes nothing: the history has
// an atomic access by the task in this step, or each access that has replaced it was judged against it.
//
//go:nosplit
func (t *Task) FilteredLoad(addr, n uintptr) bool {
	f := t.key | uint64(addr) | uint64(n/4)
	e := *t.filterEntry(addr)
	return e == f || e == f|1<<63
}
