package detector

import "unsafe"

// A frame is a calling context: a return address and the context it returns to.
// Equal contexts have the same index, so a stack is one number.
type frame struct {
	pc     uintptr
	parent uint32
	next   uint32 // in its bucket
}

const frameBuckets = 1 << 20

func (e *Engine) frame(i uint32) *frame {
	return (*frame)(unsafe.Add(nil, e.frames.base+uintptr(i)*unsafe.Sizeof(frame{})))
}

// PushFrame returns the id of the stack that has pc called from stack parent; 0
// is the empty stack. Ids stay valid as long as the engine.
func (e *Engine) PushFrame(parent uint32, pc uintptr) uint32 {
	h := (uint64(pc) ^ uint64(parent)<<40 ^ uint64(parent)) * 0x9e3779b97f4a7c15
	b := e.buckets.at32(uintptr(h >> 44 % frameBuckets))
	fresh := uint32(0)
	var seen uint32
	for {
		head := load32(b)
		for i := head; i != seen; {
			f := e.frame(i)
			if f.pc == pc && f.parent == parent {
				if fresh != 0 {
					e.frames.put(fresh)
				}
				return i
			}
			i = f.next
		}
		if fresh == 0 {
			fresh = e.frames.get()
			*e.frame(fresh) = frame{pc: pc, parent: parent}
		}
		e.frame(fresh).next = head
		if cas32(b, head, fresh) {
			return fresh
		}
		seen = head // what stands behind has been looked at
	}
}

// Frame returns what PushFrame made id of.
func (e *Engine) Frame(id uint32) (parent uint32, pc uintptr) {
	if id == 0 {
		return 0, 0
	}
	f := e.frame(id)
	return f.parent, f.pc
}
