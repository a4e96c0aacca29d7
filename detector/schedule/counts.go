package schedule

import "unsafe"

// Counts has the numbers of steps of the tasks of an earlier run, by the hashes of their
// paths. The number of a task includes those of its descendants.
type Counts struct {
	table uintptr // [size]count, open addressing
	size  uint32  // a power of two, 0 if nothing was read
	n     uint32

	Steps uint32 // of the run
	Tasks uint32 // that made a step
}

type count struct {
	hash  uint64
	steps uint32
	own   bool // the task itself made a step
}

const smallestCounts = 1 << 10

// find returns the entry of a hash, or a free entry.
func (c *Counts) find(hash uint64) *count {
	for i := uint32(hash); ; i++ {
		e := (*count)(unsafe.Add(nil, c.table+uintptr(i&(c.size-1))*unsafe.Sizeof(count{})))
		if e.hash == hash || e.hash == 0 {
			return e
		}
	}
}

// of returns the number of steps of the task with a hash, 0 if it is not known.
func (c *Counts) of(hash uint64) uint32 {
	if c.size == 0 {
		return 0
	}
	return c.find(hash).steps
}

func (c *Counts) add(hash uint64, steps uint32, own bool) {
	if 2*c.n >= c.size {
		old := *c
		c.size = max(smallestCounts, 2*old.size)
		c.table = uintptr(hostAlloc(uintptr(c.size) * unsafe.Sizeof(count{})))
		for i := uint32(0); i < old.size; i++ {
			e := (*count)(unsafe.Add(nil, old.table+uintptr(i)*unsafe.Sizeof(count{})))
			if e.hash != 0 {
				*c.find(e.hash) = *e
			}
		}
		if old.size > 0 {
			hostFree(unsafe.Add(nil, old.table), uintptr(old.size)*unsafe.Sizeof(count{}))
		}
	}
	e := c.find(hash)
	if e.hash == 0 {
		e.hash = hash
		c.n++
	}
	e.steps += min(steps, 1<<32-1-e.steps)
	if own && !e.own {
		e.own = true
		c.Tasks++
	}
}

// Read reads the record of n bytes at text, which must stay in memory. It reports whether the text is
// a record. If not, line is the line of the error.
func (c *Counts) Read(text unsafe.Pointer, n uintptr) (line uint32, ok bool) {
	r := record{text: uintptr(text), n: n}
	var h head
	if !r.begin(&h) {
		return r.line, false
	}
	for {
		var t choice
		switch r.next(&t) {
		case lineEnd:
			return 0, true
		case lineBad:
			return r.line, false
		case lineChoice:
			steps := max(1, t.left)
			c.Steps += min(steps, 1<<32-1-c.Steps)
			// A step counts for its task and for all tasks above it.
			for end := t.size; end > 0; {
				if h, ok := r.hash(t.name, end); ok {
					c.add(h, steps, end == t.size)
				}
				for end--; end > 0 && r.byte(t.name+end) != '.'; end-- {
				}
			}
		}
	}
}
