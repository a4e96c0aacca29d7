package serial

import "taskinstr/detector/mem"

// An origin is the place of an access: the site, the instruction and the calling context.
type origin struct {
	site  uint32 // less Options.SiteBase, 0: not known; also the link of the free chain
	pc    uint32 // less Options.PCBase
	stack uint32
	mark  uint32 // of the last sweep that found it in use
}

// originMemos is the number of origins that are remembered.
const originMemos = 256

type originMemo struct {
	site, pc uintptr
	stack    uint32
	id       uint32
}

func (e *Engine) originAt(i uint32) *origin { return (*origin)(e.origins.At(i)) }

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
	i, slot, tag := e.origins.Find(uint64(o.site) ^ uint64(o.pc)<<17 ^ uint64(stack)<<34)
	if p := e.originAt(i); i == 0 || p.site != o.site || p.pc != o.pc || p.stack != stack {
		i = e.origins.Take()
		*e.originAt(i) = o
		mem.Intern(slot, tag, i)
	}
	*m = originMemo{site, pc, stack, i}
	return i
}

// PushFrame returns the id of the stack that has pc called from stack parent; 0 is the
// empty stack. The id holds until the next Sweep; t is not looked at.
func (e *Engine) PushFrame(t *Task, parent uint32, pc uintptr) uint32 {
	e.cache.Restock(&e.contexts)
	return e.QuickFrame(t, parent, pc)
}

// QuickFrame is PushFrame if the engine remembers the context or has one in stock; otherwise it
// returns 0.
//
//go:nosplit
func (e *Engine) QuickFrame(t *Task, parent uint32, pc uintptr) uint32 {
	if i := e.cache.Find(parent, pc); i != 0 {
		return i
	}
	return e.cache.Look(&e.contexts, parent, pc)
}

// Frame returns the arguments of the PushFrame that returned id.
func (e *Engine) Frame(id uint32) (parent uint32, pc uintptr) { return e.contexts.Frame(id) }
