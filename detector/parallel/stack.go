package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// A frame is a calling context: a return address and the context of the caller. A proc or
// the engine finds most existing frames again instead of making duplicates, so a stack is
// one number, but equal stacks may have several. Sweep frees the frames that no record
// and no task names.
type frame struct {
	pc     uintptr
	parent uint32 // also the link of the free chain
	mark   uint32
}

// A frameMemo is a cache entry for a frame. A frame has two slots, of which the first
// holds the newer frame. With one slot, two contexts that alternate would evict each
// other, and each duplicate context gets a new origin for every place accessed in it.
type frameMemo struct {
	pc         uintptr
	parent, id uint32
}

func (e *Engine) frame(i uint32) *frame {
	return (*frame)(unsafe.Add(nil, e.frames.Base+uintptr(i)*unsafe.Sizeof(frame{})))
}

// PushFrame returns the id of the stack in which pc was called from stack parent; 0 is
// the empty stack. t may use the id in Access and Fork until the next Sweep, which
// changes t.Act.
func (e *Engine) PushFrame(t *Task, parent uint32, pc uintptr) uint32 {
	e.mustSeat(t)
	e.stock(&t.proc().frames, &e.frames)
	return e.QuickFrame(t, parent, pc)
}

// QuickFrame is PushFrame if the engine remembers the context or t's proc has a frame in
// stock; otherwise it returns 0.
//
//go:nosplit
func (e *Engine) QuickFrame(t *Task, parent uint32, pc uintptr) uint32 {
	if !e.seat(t) {
		return 0
	}
	p := t.proc()
	s := p.frameSlot(parent, pc)
	m := &p.frameMemos[s]
	if m.pc == pc && m.parent == parent {
		return m.id
	}
	a := &p.frameMemos[s^1]
	if a.pc == pc && a.parent == parent {
		return a.id
	}
	i, slot, tag := e.contexts.Find(uint64(parent)<<48 ^ uint64(parent>>16) ^ uint64(pc))
	if i == 0 || e.frame(i).pc != pc || e.frame(i).parent != parent {
		if i = p.frames; i == 0 {
			return 0
		}
		f := e.frame(i)
		p.frames = f.parent
		*f = frame{pc: pc, parent: parent}
		mem.Intern(slot, tag, i)
	}
	if m.pc != 0 {
		*a = *m
	}
	*m = frameMemo{pc, parent, i}
	return i
}

// Sweeps returns the number of sweeps so far.
func (e *Engine) Sweeps() uint32 { return e.sweeps }

// Frame returns the arguments of the PushFrame that made id.
func (e *Engine) Frame(id uint32) (parent uint32, pc uintptr) {
	if id == 0 {
		return 0, 0
	}
	f := e.frame(id)
	return f.parent, f.pc
}
