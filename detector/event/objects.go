package event

import (
	"iter"
	"maps"
)

// Objects holds what is known about objects, by their addresses, until their memory has a new
// owner.
type Objects[T any] struct {
	known map[uint64]*T
	pages map[uint64][]uint64 // the addresses on each page
}

const objectPage = 1 << 10

// At returns what is known about the object at addr, nil if it is not known.
func (o *Objects[T]) At(addr uint64) *T { return o.known[addr] }

// Make returns what is known about the object at addr, which is known from now on.
func (o *Objects[T]) Make(addr uint64) *T {
	x := o.known[addr]
	if x == nil {
		if o.known == nil {
			o.known, o.pages = map[uint64]*T{}, map[uint64][]uint64{}
		}
		x = new(T)
		o.known[addr] = x
		o.pages[addr/objectPage] = append(o.pages[addr/objectPage], addr)
	}
	return x
}

// All returns all that is known, in no order.
func (o *Objects[T]) All() iter.Seq[*T] { return maps.Values(o.known) }

// Forget removes the objects in size bytes from addr on, which have a new owner. It calls gone,
// unless that is nil, for each.
func (o *Objects[T]) Forget(addr, size uint64, gone func(*T)) {
	if size == 0 || len(o.pages) == 0 {
		return
	}
	first, last := addr/objectPage, (addr+size-1)/objectPage
	if last-first < uint64(len(o.pages)) {
		for p := first; p <= last; p++ {
			o.forgetOn(p, addr, size, gone)
		}
		return
	}
	for p := range o.pages {
		if first <= p && p <= last {
			o.forgetOn(p, addr, size, gone)
		}
	}
}

func (o *Objects[T]) forgetOn(page, addr, size uint64, gone func(*T)) {
	list := o.pages[page]
	rest := list[:0]
	for _, a := range list {
		if a-addr >= size {
			rest = append(rest, a)
			continue
		}
		if gone != nil {
			gone(o.known[a])
		}
		delete(o.known, a)
	}
	if len(rest) == 0 {
		delete(o.pages, page)
	} else {
		o.pages[page] = rest
	}
}
