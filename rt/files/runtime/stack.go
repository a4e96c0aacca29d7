//go:build taskinstr_runtime

// Calling contexts. An access is recorded with the chain of its callers, as a number that
// the engine gives to each distinct chain. The chain is read from the frame pointers.
// Successive accesses have similar chains, so each task remembers its last walk, and only
// the difference costs time.

package runtime

import (
	"internal/abi"
	"internal/goarch"
	"internal/runtime/atomic"
	"unsafe"
)

// A tr_walk is a task's last walk, outermost frame first. A frame is identified by the
// distance of its frame pointer from the top of the stack, which does not change when the
// stack grows.
type tr_walk struct {
	next   uintptr // link of the free list, see tr_take
	act    uint64  // the task's Act at the walk: while Act is the same, frames of instrumented functions are unchanged
	off    uintptr // the frame requested last while act was current,
	pc     uintptr // its return address,
	cur    uint32  // and its context
	n      int
	cap    int
	sweeps uint32 // Engine.Sweeps at the walk
	locks  tr_lockMemo
	starts *tr_starts // for the goroutine that the task starts next; nil until the first use

	// While a trace is written:
	step   uint32 // rises at each event other than an access
	scope  uint64 // the scope for which the task ends, see tr_traceStructure
	named  bool   // the goroutine's number was written
	over   bool   // its end was written
	branch uint64 // the number of its last branch

	ents  uintptr                 // [cap]tr_frame: the walk
	first [tr_walkFrames]tr_frame // the first frames
}

type tr_frame struct {
	off uintptr
	pc  uintptr // return address into the caller, 0 if the caller faulted there
	id  uint32  // the context whose last call is pc
	rep uint16  // how many of the frames up to here repeat another one; see extend

	// enters tells whether the function into which pc returns calls taskinstr_begin: one of the
	// constants below.
	enters uint8
	pcs    uint64 // a bit for a digest of each pc up to here
}

const (
	tr_entersUnknown = iota
	tr_entersNever
	tr_entersFirst
)

const (
	tr_walkFrames = 8  // frames of a new walk; the number doubles as stacks deepen
	tr_walkSizes  = 6  // array sizes kept in stock; larger arrays come from the system
	tr_walkTrust  = 64 // after this many equal neighbours the rest counts as equal
	tr_walkRoots  = 8  // ... if these outermost frames are equal too
	tr_walkNear   = 8  // calls that tr_stackKnown may add to the walk
	tr_walkCycle  = 16 // calls of a recursion from one call to the same call again, at most
)

var tr_walks struct {
	lock   uint32
	free   uintptr
	frames [tr_walkSizes]uintptr // free arrays of 2, 4, 8, ... times tr_walkFrames
}

//go:nosplit
func (w *tr_walk) at(i int) *tr_frame {
	return (*tr_frame)(unsafe.Pointer(w.ents + uintptr(i)*unsafe.Sizeof(tr_frame{})))
}

// grow doubles the capacity of w.
func (w *tr_walk) grow() {
	n := 2 * w.cap
	p := tr_getFrames(n)
	memmove(unsafe.Pointer(p), unsafe.Pointer(w.ents), uintptr(w.cap)*unsafe.Sizeof(tr_frame{}))
	w.putFrames()
	w.ents, w.cap = p, n
}

// tr_frameStock returns the stock of arrays of n frames, nil if there is none.
func tr_frameStock(n int) *uintptr {
	for i := range tr_walks.frames {
		if n == tr_walkFrames<<(i+1) {
			return &tr_walks.frames[i]
		}
	}
	return nil
}

func tr_getFrames(n int) uintptr {
	size := uintptr(n) * unsafe.Sizeof(tr_frame{})
	stock := tr_frameStock(n)
	if stock == nil {
		return uintptr(tr_alloc(size))
	}
	me_Lock(&tr_walks.lock)
	p := tr_take(stock, size)
	me_Unlock(&tr_walks.lock)
	return p
}

// putFrames frees the frames of w, unless they are a part of it.
func (w *tr_walk) putFrames() {
	if w.cap == tr_walkFrames {
		return
	}
	stock := tr_frameStock(w.cap)
	if stock == nil {
		me_Free(unsafe.Pointer(w.ents), uintptr(w.cap)*unsafe.Sizeof(tr_frame{}))
		return
	}
	me_Lock(&tr_walks.lock)
	tr_give(stock, w.ents)
	me_Unlock(&tr_walks.lock)
}

// tr_take takes a piece of memory from a list of pieces of equal size. It refills an
// empty list. tr_walks is locked.
func tr_take(stock *uintptr, size uintptr) uintptr {
	const chunk = 64 << 10
	if *stock == 0 {
		p := uintptr(tr_alloc(chunk))
		for o := uintptr(0); o+size <= chunk; o += size {
			tr_give(stock, p+o)
		}
	}
	p := *stock
	*stock = *(*uintptr)(unsafe.Pointer(p))
	return p
}

// tr_give puts a piece on the list, whose links are the first words of the pieces.
func tr_give(stock *uintptr, p uintptr) {
	*(*uintptr)(unsafe.Pointer(p)) = *stock
	*stock = p
}

// find returns the index of the innermost frame at most off from the top of the stack, -1
// if there is none.
//
//go:nosplit
//taskinstr:inline
func (w *tr_walk) find(off uintptr) int {
	lo, hi := 0, w.n
	if hi > 0 && w.at(hi-1).off <= off {
		return hi - 1
	}
	for lo < hi {
		if m := int(uint(lo+hi) >> 1); w.at(m).off <= off {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo - 1
}

// extend makes the context of frame i of w: the context of the frame before it, with one more call.
// Each path through a recursive data structure would be a context of its own, and each place an
// origin of its own in each context. So a context has the first repeated calls of a recursion only,
// tr_opt.recursion of them. A later call that repeats a call of the walk gets the context of the
// earlier call, which leaves out the calls between the two. extend returns 0 if the engine has no
// context at hand (QuickFrame).
//
//go:nosplit
func (w *tr_walk) extend(t *ti_Task, i int) uint32 {
	e := w.at(i)
	up, rep := uint32(0), uint16(0)
	e.enters = tr_entersUnknown
	e.pcs = 1 << (uint64(e.pc) * 0x9e3779b97f4a7c15 >> 58)
	if i > 0 {
		p := w.at(i - 1)
		up, rep = p.id, p.rep
		first := i
		if p.pcs&e.pcs != 0 {
			first = max(i-tr_walkCycle, 0)
		}
		e.pcs |= p.pcs
		for k := i - 1; k >= first; k-- {
			if p := w.at(k); p.pc == e.pc {
				if uint32(rep) == tr_opt.recursion {
					e.id, e.rep = p.id, rep
					return e.id
				}
				rep++
				break
			}
		}
	}
	e.rep = rep
	e.id = tr_engine.QuickFrame(t, up, e.pc)
	return e.id
}

// tr_abridged reports whether calls of a recursion may be left out of a context.
func tr_abridged(stack uint32) bool {
	rep := uint32(0)
	for stack != 0 {
		up, pc := tr_engine.Frame(stack)
		stack = up
		for k := 0; k < tr_walkCycle && up != 0; k++ {
			var p uintptr
			if up, p = tr_engine.Frame(up); p == pc {
				rep++
				break
			}
		}
	}
	return rep >= tr_opt.recursion
}

// tr_walkOf returns the walk of a task and makes an empty one at first.
func tr_walkOf(t *ti_Task) *tr_walk {
	if t.Host != 0 {
		return (*tr_walk)(unsafe.Pointer(t.Host))
	}
	me_Lock(&tr_walks.lock)
	w := (*tr_walk)(unsafe.Pointer(tr_take(&tr_walks.free, unsafe.Sizeof(tr_walk{}))))
	me_Unlock(&tr_walks.lock)
	tr_initWalk(t, w)
	return w
}

// tr_quickWalk is tr_walkOf for a task without a walk, if one is in stock and the stock
// is not locked. Otherwise it returns nil.
//
//go:nosplit
func tr_quickWalk(t *ti_Task) *tr_walk {
	if !atomic.Cas(&tr_walks.lock, 0, 1) {
		return nil
	}
	w := (*tr_walk)(unsafe.Pointer(tr_walks.free))
	if w != nil {
		tr_walks.free = w.next
	}
	atomic.Store(&tr_walks.lock, 0)
	if w != nil {
		tr_initWalk(t, w)
	}
	return w
}

// tr_initWalk makes w the walk of t.
//
//go:nosplit
func tr_initWalk(t *ti_Task, w *tr_walk) {
	if !tr_sched.on || w.cap != tr_walkFrames {
		w.n = 0
	} // else keep the frames of the last task, which mostly match the next one's
	w.act, w.off = 0, 0
	w.cap = tr_walkFrames
	w.ents = uintptr(unsafe.Pointer(&w.first))
	w.locks.forget()
	w.step, w.scope, w.named, w.over, w.branch = 0, 0, false, false, 0
	if w.starts != nil {
		w.starts.n = 0
	}
	t.Host = uintptr(unsafe.Pointer(w))
	t.Name = getg().m.curg.goidOrZero()
}

// tr_forgetWalk frees the walk of a task that ends.
func tr_forgetWalk(t *ti_Task) {
	if t.Host == 0 {
		return
	}
	w := (*tr_walk)(unsafe.Pointer(t.Host))
	t.Host = 0
	w.putFrames()
	me_Lock(&tr_walks.lock)
	tr_give(&tr_walks.free, uintptr(unsafe.Pointer(w)))
	me_Unlock(&tr_walks.lock)
}

//go:nosplit
func (gp *g) goidOrZero() uint64 {
	if gp == nil {
		return 0
	}
	return gp.goid
}

// tr_stackHere returns the context of an instrumented function's callers. off locates the
// frame of the check that the function called; the frame pointer saved there is the
// function's.
func tr_stackHere(gp *g, t *ti_Task, off uintptr) uint32 {
	if gp.m.curg != gp {
		return 0 // a timer's function on g0
	}
	if !framepointer_enabled {
		return tr_stackSlow(gp, t, 0)
	}
	fp := *(*uintptr)(unsafe.Pointer(gp.stack.hi - off))
	w := tr_walkOf(t)
	if tr_stackKnown(gp, t, w, fp) {
		return w.cur
	}
	tr_walkUp(gp, t, w, fp)
	w.act = t.Act
	w.off, w.pc, w.cur = 0, 0, 0
	if w.n != 0 {
		e := w.at(w.n - 1)
		w.off, w.pc, w.cur = e.off, e.pc, e.id
	}
	return w.cur
}

// tr_stackKnown reports whether the last walk contains the frame at fp, of an
// instrumented function, or a frame a few calls further out, with everything outside of
// it, and the engine has the contexts of the calls in between at hand. If so, this frame
// becomes the one requested last. It runs on the task's own stack.
//
//go:nosplit
func tr_stackKnown(gp *g, t *ti_Task, w *tr_walk, fp uintptr) bool {
	if w.n == 0 || w.sweeps != tr_engine.Sweeps() {
		return false
	}
	const size = unsafe.Sizeof(tr_frame{})
	hi := gp.stack.hi
	p := w.ents + uintptr(w.n-1)*size // the walk's innermost frame that is not further in than f
	if q := p - min(uintptr(w.n-1), tr_walkNear)*size; (*tr_frame)(unsafe.Pointer(q)).off > hi-fp {
		i := w.find(hi - fp)
		if i < 0 {
			return false
		}
		p = w.ents + uintptr(i)*size
	}
	f, n := fp, 0
	for {
		off, pc := hi-f, *(*uintptr)(unsafe.Pointer(f + 8))
		for (*tr_frame)(unsafe.Pointer(p)).off > off {
			if p == w.ents {
				return false
			}
			p -= size
		}
		if e := (*tr_frame)(unsafe.Pointer(p)); e.off == off && e.pc == pc && pc != 0 {
			break
		}
		// The compiler does not inline tr_inSigpanic.
		if n > tr_walkNear || pc == 0 || pc-abi.FuncPCABIInternal(sigpanic) < tr_sigpanicBytes && tr_isSigpanic(pc) {
			return false
		}
		n++
		up := *(*uintptr)(unsafe.Pointer(f))
		if up <= f || up-gp.stack.lo >= hi-gp.stack.lo-16 {
			return false
		}
		f = up
	}
	e := (*tr_frame)(unsafe.Pointer(p))
	i := int((p - w.ents) / size)
	if i+n >= w.cap {
		return false
	}
	if (n != 0 || w.act != t.Act) && !(i > 0 && e.outside(t.Outermost) && e.enters == tr_entersFirst) && tr_sameFrom(hi, gp.stack.lo, w, f, i, t.Outermost) != 0 {
		return false
	}
	if n != 0 {
		f = fp
		for q := p + uintptr(n)*size; q > p; q -= size {
			e := (*tr_frame)(unsafe.Pointer(q))
			e.off, e.pc = hi-f, *(*uintptr)(unsafe.Pointer(f + 8))
			f = *(*uintptr)(unsafe.Pointer(f))
		}
		for end := i + n; i < end; i++ {
			if w.extend(t, i+1) == 0 {
				w.n = i + 1
				return false
			}
		}
		w.n = i + 1
		e = w.at(i)
	}
	w.act = t.Act
	t.Outermost = ^uintptr(0)
	w.off, w.pc, w.cur = e.off, e.pc, e.id
	return true
}

// outside reports whether the function into which e returns lies outside of a frame, which is given by its distance from
// the top of the stack. The function's stack pointer lies behind e.
//
//go:nosplit
func (e *tr_frame) outside(frame uintptr) bool { return e.off-2*goarch.PtrSize < frame }

// tr_adjustDead moves the saved frame pointer of a dead frame to the stack's new place,
// as the runtime itself does since Go 1.26: after a fault the callers of such a frame may
// continue. The new place lies outside of the old one, so the runtime's own adjustment of
// an adjusted pointer changes nothing.
func tr_adjustDead(frame *stkframe, adjinfo *adjustinfo) {
	if frame.continpc == 0 && (goarch.ArchFamily == goarch.AMD64 || goarch.ArchFamily == goarch.ARM64) && frame.argp-frame.varp == 2*goarch.PtrSize {
		adjustpointer(adjinfo, unsafe.Pointer(frame.varp))
	}
}

// tr_stackFrom returns the context whose last call is at return address pc, which lies in
// one of the frames from fp outwards.
func tr_stackFrom(gp *g, t *ti_Task, fp, pc uintptr) uint32 {
	if !framepointer_enabled {
		return tr_stackSlow(gp, t, pc)
	}
	w := tr_walkOf(t)
	tr_walkUp(gp, t, w, fp)
	w.act = 0
	for i := w.n - 1; i >= 0; i-- {
		if e := w.at(i); e.pc == pc {
			return e.id
		}
	}
	if w.n == 0 {
		return 0
	}
	return w.at(w.n - 1).id
}

// tr_walkUp makes w the walk from the frame at fp outwards. It first goes out to the
// frame at which the last walk continues unchanged, and then once more to store the new
// frames.
func tr_walkUp(gp *g, t *ti_Task, w *tr_walk, fp uintptr) {
	if s := tr_engine.Sweeps(); w.sweeps != s {
		w.sweeps = s
		w.n = 0 // old contexts may have been freed
	}
	hi, lo := gp.stack.hi, gp.stack.lo
	j := w.find(hi - fp) // the candidate for the next frame
	from, n := fp, 0
	keep := 0
	known := uintptr(0) // frames further in than this do not continue as before
	fault := false      // pc is the place at which the caller faulted
	for fp-lo < hi-lo-16 {
		off := hi - fp
		pc := *(*uintptr)(unsafe.Pointer(fp + 8))
		for j >= 0 && w.at(j).off > off {
			j--
		}
		if j >= 0 && fp > known && w.at(j).off == off && w.at(j).pc == pc && !fault {
			if known = tr_sameFrom(hi, lo, w, fp, j, t.Outermost); known == 0 {
				keep = j + 1
				break
			}
		}
		if pc != 0 {
			n++
		}
		fault = tr_inSigpanic(pc)
		up := *(*uintptr)(unsafe.Pointer(fp))
		if up <= fp {
			break
		}
		fp = up
	}
	for w.cap < keep+n {
		w.grow()
	}
	w.n = keep + n
	for i := w.n; i > keep; from = *(*uintptr)(unsafe.Pointer(from)) {
		if pc := *(*uintptr)(unsafe.Pointer(from + 8)); pc != 0 {
			i--
			e := w.at(i)
			e.off, e.pc = hi-from, pc
		}
	}
	id := uint32(0)
	if keep > 0 {
		id = w.at(keep - 1).id
	}
	for i := keep; i < w.n; i++ {
		e := w.at(i)
		if i+1 < w.n && tr_inSigpanic(w.at(i+1).pc) {
			if pc := tr_faultCaller(hi-e.off, e.pc); pc != 0 {
				id = tr_engine.PushFrame(t, id, pc)
			}
			// A return address lies behind its call.
			id = tr_engine.PushFrame(t, id, e.pc+1)
			e.pc = 0 // the frame's caller may differ next time
			e.id, e.rep = id, 0
			e.pcs, e.enters = 0, tr_entersNever
			if i > 0 {
				e.rep, e.pcs = w.at(i-1).rep, w.at(i-1).pcs
			}
		} else {
			if w.extend(t, i) == 0 {
				e.id = tr_engine.PushFrame(t, id, e.pc)
			}
			id = e.id
		}
	}
	t.Outermost = ^uintptr(0)
}

// tr_inSigpanic reports whether pc lies in sigpanic, which a faulting instruction seems
// to call.
//
//go:nosplit
func tr_inSigpanic(pc uintptr) bool {
	return pc-abi.FuncPCABIInternal(sigpanic) < tr_sigpanicBytes && tr_isSigpanic(pc)
}

// tr_sigpanicBytes is more than the length of sigpanic.
const tr_sigpanicBytes = 4 << 10

//go:nosplit
//go:noinline
func tr_isSigpanic(pc uintptr) bool { return findfunc(pc).funcID == abi.FuncID_sigpanic }

// tr_faultCaller returns the return address of the function that faulted at pc if it has
// no frame, else 0. fp is the frame of sigpanic; the address lies behind pc there. On
// processors whose calls leave the return address in a register it is not found.
func tr_faultCaller(fp, pc uintptr) uintptr {
	if f := findfunc(pc); goarch.IsAmd64 != 0 && f.valid() && funcspdelta(f, pc) == 0 {
		return *(*uintptr)(unsafe.Pointer(fp + 16))
	}
	return 0
}

// tr_sameFrom compares the frames from fp outwards, where fp is the j-th frame of the
// walk, with the frames of the walk. It returns 0 if they are equal, else the first frame
// that differs. outermost is that of the functions that have called taskinstr_begin since the walk: a
// function further out that calls it was active at the walk, and so all further out is unchanged.
//
//go:nosplit
func tr_sameFrom(hi, lo uintptr, w *tr_walk, fp uintptr, j int, outermost uintptr) uintptr {
	for run := 1; j > 0; run++ { // the walk has the address of each load, so no load waits for another one
		if e := w.at(j); e.outside(outermost) && e.begins() {
			return 0
		}
		e := w.at(j - 1)
		up := hi - e.off
		if *(*uintptr)(unsafe.Pointer(fp)) != up || *(*uintptr)(unsafe.Pointer(up + 8)) != e.pc {
			break
		}
		fp = up
		j--
		if run == tr_walkTrust && j >= tr_walkRoots && tr_rootsEqual(hi, w) {
			return 0
		}
	}
	up := *(*uintptr)(unsafe.Pointer(fp))
	inside := up > fp && up-lo < hi-lo-16
	switch {
	case j > 0 && !inside:
		return hi
	case j > 0, inside && *(*uintptr)(unsafe.Pointer(up + 8)) != 0: // the walk contains no frames without a caller
		return up
	}
	return 0
}

// begins reports whether each activation of the function into which e returns calls taskinstr_begin
// before it calls another function.
//
//go:nosplit
//taskinstr:inline
func (e *tr_frame) begins() bool {
	if e.enters == tr_entersUnknown {
		e.enters = tr_entersOf(e.pc)
	}
	return e.enters == tr_entersFirst
}

// tr_entersMemo has the offset of a return address in the program times 2, and 1 if the function
// there begins with taskinstr_begin.
var tr_entersMemo [1 << 15]uint32

// tr_entersOf returns tr_frame.enters for a return address.
//
//go:nosplit
func tr_entersOf(pc uintptr) uint8 {
	o := uint32(pc - firstmoduledata.text)
	m := &tr_entersMemo[o*0x9e3779b1>>17]
	if v := *m; v>>1 == o && v != 0 {
		return tr_entersNever + uint8(v&1)
	}
	return tr_findEnters(pc, m)
}

//go:nosplit
//go:noinline
func tr_findEnters(pc uintptr, m *uint32) uint8 {
	v := uint32(pc-firstmoduledata.text) << 1
	systemstack(func() {
		if tr_callsBegin(findfunc(pc)) {
			v |= 1
		}
	})
	*m = v
	return tr_entersNever + uint8(v&1)
}

// tr_callsBegin looks for a call of taskinstr_begin among the first instructions of f, one that is
// not a part of a function inlined there. On processors other than amd64 it finds none.
func tr_callsBegin(f funcInfo) bool {
	const most = 256 // bytes
	if goarch.IsAmd64 == 0 || !f.valid() {
		return false
	}
	target := abi.FuncPCABIInternal(taskinstr_begin)
	for pc := f.entry(); pc < f.entry()+most && pc+5 <= firstmoduledata.etext; pc++ {
		// a call with a distance to the instruction behind it
		if *(*uint8)(unsafe.Pointer(pc)) != 0xe8 || pc+5+uintptr(*(*int32)(unsafe.Pointer(pc + 1))) != target {
			continue
		}
		if g := findfunc(pc); !g.valid() || g.entry() != f.entry() {
			return false
		}
		u, uf := newInlineUnwinder(f, pc)
		return !u.isInlined(uf)
	}
	return false
}

// tr_rootsEqual reports whether the outermost frames of the walk are unchanged.
//
//go:nosplit
func tr_rootsEqual(hi uintptr, w *tr_walk) bool {
	for i := 0; i < tr_walkRoots; i++ {
		if e := w.at(i); *(*uintptr)(unsafe.Pointer(hi - e.off + 8)) != e.pc {
			return false
		}
	}
	return true
}

// tr_stackSlow reads the context with the unwinder, on systems without frame pointers. If
// pc is not 0, it returns the context whose last call is at pc.
func tr_stackSlow(gp *g, t *ti_Task, pc uintptr) uint32 {
	var pcs [64]uintptr
	n := 0
	systemstack(func() {
		var u unwinder
		u.initAt(gp.sched.pc, gp.sched.sp, 0, gp, unwindSilentErrors)
		n = tracebackPCs(&u, 0, pcs[:])
	})
	id := uint32(0)
	for i := n - 1; i >= 0; i-- {
		id = tr_engine.PushFrame(t, id, pcs[i])
		if pcs[i] == pc {
			break
		}
	}
	return id
}
