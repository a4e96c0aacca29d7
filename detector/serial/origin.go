package serial

import "unsafe"

// An origin is the place of an access: the site, the instruction and the calling context.
type origin struct {
	internedHead
	site  uint32 // less Options.SiteBase, 0: not known
	pc    uint32 // less Options.PCBase
	stack uint32
}

// A frame is a calling context: a return address and the context it returns to.
type frame struct {
	internedHead
	pc     uintptr
	parent uint32
}

// The number of elements of each kind that are remembered.
const (
	originMemos = 256
	frameMemos  = 256
)

type originMemo struct {
	site, pc uintptr
	stack    uint32
	id       uint32
}

type frameMemo struct {
	pc         uintptr
	parent, id uint32
}

func (e *Engine) originAt(i uint32) *origin { return (*origin)(e.origins.At(i)) }

//go:nosplit
func (e *Engine) frame(i uint32) *frame { return (*frame)(e.frames.At(i)) }

//go:nosplit
func (e *Engine) originMemo(site, pc uintptr, stack uint32) *originMemo {
	return &e.memo[(site>>2^pc^uintptr(stack)*31)%originMemos]
}

// quickOrigin returns an origin that is remembered, else 0.
//
//go:nosplit
func (e *Engine) quickOrigin(site, pc uintptr, stack uint32) uint32 {
	m := e.originMemo(site, pc, stack)
	if m.site == site && m.pc == pc && m.stack == stack {
		return m.id
	}
	return 0
}

func (e *Engine) originOf(site, pc uintptr, stack uint32) uint32 {
	m := e.originMemo(site, pc, stack)
	if m.id != 0 && m.site == site && m.pc == pc && m.stack == stack {
		return m.id
	}
	o := origin{site: uint32(site - e.opt.SiteBase), pc: uint32(pc - e.opt.PCBase), stack: stack}
	if site == 0 {
		o.site = 0
	}
	l := e.origins.list(hashOrigin(unsafe.Pointer(&o)))
	i := *l
	for i != 0 {
		if p := e.originAt(i); p.site == o.site && p.pc == o.pc && p.stack == stack {
			break
		}
		i = e.origins.head(i).next
	}
	if i == 0 {
		i = e.origins.add(l, e.sweeps)
		p := e.originAt(i)
		p.site, p.pc, p.stack = o.site, o.pc, o.stack
	}
	*m = originMemo{site, pc, stack, i}
	return i
}

func hashOrigin(p unsafe.Pointer) uint64 {
	o := (*origin)(p)
	return uint64(o.site) ^ uint64(o.pc)<<17 ^ uint64(o.stack)<<34
}

func hashFrame(p unsafe.Pointer) uint64 {
	f := (*frame)(p)
	return uint64(f.pc) ^ uint64(f.parent)<<36
}

// PushFrame returns the id of the stack that has pc called from stack parent; 0 is the
// empty stack. The id holds until the next Sweep; t is not looked at.
func (e *Engine) PushFrame(t *Task, parent uint32, pc uintptr) uint32 {
	if i := e.QuickFrame(t, parent, pc); i != 0 {
		return i
	}
	f := frame{pc: pc, parent: parent}
	l := e.frames.list(hashFrame(unsafe.Pointer(&f)))
	i := *l
	for i != 0 && (e.frame(i).pc != pc || e.frame(i).parent != parent) {
		i = e.frames.head(i).next
	}
	if i == 0 {
		i = e.frames.add(l, e.sweeps)
		e.frame(i).pc, e.frame(i).parent = pc, parent
	}
	*e.frameMemo(parent, pc) = frameMemo{pc, parent, i}
	return i
}

//go:nosplit
func (e *Engine) frameMemo(parent uint32, pc uintptr) *frameMemo {
	return &e.fmemo[(pc^uintptr(parent)*7)%frameMemos]
}

// QuickFrame returns a result of PushFrame that is remembered, else 0.
//
//go:nosplit
func (e *Engine) QuickFrame(t *Task, parent uint32, pc uintptr) uint32 {
	m := e.frameMemo(parent, pc)
	if m.pc == pc && m.parent == parent {
		return m.id
	}
	return 0
}

// Frame returns the arguments of the PushFrame that returned id.
func (e *Engine) Frame(id uint32) (parent uint32, pc uintptr) {
	if id == 0 {
		return 0, 0
	}
	f := e.frame(id)
	return f.parent, f.pc
}
