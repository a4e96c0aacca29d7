package context

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// Bits is the number of bits of the number of a context.
const Bits = 28

// A frame is a context.
type frame struct {
	pc     uintptr
	parent uint32 // also the link of the free chain
	mark   uint32 // of the last sweep that found it in use
}

// A Tree is the contexts of an engine. The zero value needs Init.
type Tree struct{ mem.Interned }

// Init makes x an empty tree.
func (x *Tree) Init() {
	x.Interned.Init(unsafe.Sizeof(frame{}), unsafe.Offsetof(frame{}.parent), 1<<Bits, "calling contexts")
	x.Batched(unsafe.Offsetof(frame{}.pc))
}

//go:nosplit
func (x *Tree) frame(i uint32) *frame {
	return (*frame)(unsafe.Add(nil, x.Base+uintptr(i)*unsafe.Sizeof(frame{})))
}

// Frame returns the return address and the outer context of a context.
func (x *Tree) Frame(id uint32) (parent uint32, pc uintptr) {
	if id == 0 {
		return 0, 0
	}
	f := x.frame(id)
	return f.parent, f.pc
}

// digestFrames is the number of innermost frames by which digests tell contexts apart.
const digestFrames = 256

// Digest returns a digest of a context, the same for all numbers of equal contexts. A number that x has not given
// stands for itself: an engine that reads a trace uses the trace's numbers of stacks.
func (x *Tree) Digest(id uint32) (d uint64) {
	for n := 0; id != 0 && n < digestFrames; n++ {
		if id >= mem.Load32(&x.Next) {
			return d ^ uint64(id)
		}
		f := x.frame(id)
		d = (d ^ uint64(f.pc)) * 0x9e3779b97f4a7c15
		d ^= d >> 32
		id = f.parent
	}
	return d
}

// Mark says that the sweep with this number has found a context in use, and so all around it.
func (x *Tree) Mark(id, sweep uint32) {
	for id != 0 {
		f := x.frame(id)
		if f.mark == sweep {
			return
		}
		f.mark = sweep
		id = f.parent
	}
}

// Sweep frees the contexts that the sweep has not marked. All caches have been emptied.
func (x *Tree) Sweep(sweep uint32) { x.Interned.Sweep(unsafe.Offsetof(frame{}.mark), sweep) }
