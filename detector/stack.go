package detector

import "unsafe"

// A frame is a calling context: a return address and the context it returns to.
// One that is about to be made and is remembered, by its task or by the engine, is
// shared; so a stack is one number, but a stack may have several. Frames that no
// record and no task names are freed by Sweep.
type frame struct {
	pc     uintptr
	parent uint32 // also the link of the free chain
	mark   uint32
}

// A frameMemo remembers a frame. Of two slots that a frame may have the first has
// the newer one: two that take turns must not push each other out, because a context
// that is made anew has new origins for all that is accessed in it.
type frameMemo struct {
	pc         uintptr
	parent, id uint32
}

func (e *Engine) frame(i uint32) *frame {
	return (*frame)(unsafe.Add(nil, e.frames.base+uintptr(i)*unsafe.Sizeof(frame{})))
}

// PushFrame returns the id of the stack that has pc called from stack parent; 0
// is the empty stack. The id is t's to use in Access and Fork until the next
// Sweep; Sweep changes t.Act.
func (e *Engine) PushFrame(t *Task, parent uint32, pc uintptr) uint32 {
	e.forgetSwept(t)
	if t.spareFrames == 0 {
		t.spareFrames = e.frames.getChain(t.batch())
		add64(&e.work, uint64(t.batch()))
	}
	return e.QuickFrame(t, parent, pc)
}

// QuickFrame is PushFrame where t or the engine remembers the context or t has a frame
// in stock; else 0.
//
//go:nosplit
func (e *Engine) QuickFrame(t *Task, parent uint32, pc uintptr) uint32 {
	if t.sweeps != e.sweeps {
		return 0
	}
	s := t.frameSlot(parent, pc)
	m := t.frameMemo(s)
	if m.pc == pc && m.parent == parent {
		return m.id
	}
	a := t.frameMemo(s ^ 1)
	if a.pc == pc && a.parent == parent {
		return a.id
	}
	i, slot, tag := e.contexts.find(uint64(parent)<<48 ^ uint64(parent>>16) ^ uint64(pc))
	if i == 0 || e.frame(i).pc != pc || e.frame(i).parent != parent {
		if i = t.spareFrames; i == 0 {
			return 0
		}
		f := e.frame(i)
		t.spareFrames = f.parent
		*f = frame{pc: pc, parent: parent}
		intern(slot, tag, i)
	}
	if m.pc != 0 {
		t.misses++
		*a = *m
	}
	*m = frameMemo{pc, parent, i}
	return i
}

// Sweeps returns how often Sweep has run.
func (e *Engine) Sweeps() uint32 { return e.sweeps }

// Frame returns what PushFrame made id of.
func (e *Engine) Frame(id uint32) (parent uint32, pc uintptr) {
	if id == 0 {
		return 0, 0
	}
	f := e.frame(id)
	return f.parent, f.pc
}
