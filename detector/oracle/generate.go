package oracle

import "taskinstr/detector/parallel"

// A stream turns bytes into choices. It ends with the bytes.
type stream struct {
	b []byte
}

func (s *stream) more() bool { return len(s.b) > 0 }

// below returns a number in [0, n).
func (s *stream) below(n int) int {
	if len(s.b) == 0 {
		return 0
	}
	c := int(s.b[0])
	s.b = s.b[1:]
	return c % n
}

// The layout of memory: data at the end of one shadow block and the beginning of the
// next; two more blocks for ranges; objects and locks in a block of their own and, so
// that an Alloc frees them with data, at inData among the data.
const (
	base   = 0xc000102000 - 32
	far    = base + 3<<13
	locks  = 0xc000200000
	things = locks + 512
	inData = base + 40
)

// A mix gives the frequency of each kind of event, in 64ths.
type mix struct {
	fork, end, acquire, merge, release, exchange, lock, alloc, other int // the rest: accesses
}

var mixes = [...]mix{
	{5, 2, 5, 3, 2, 3, 7, 2, 2},
	{4, 1, 2, 1, 1, 1, 32, 1, 1},
	{3, 1, 2, 2, 1, 1, 24, 1, 1},
	{4, 1, 12, 7, 5, 8, 2, 1, 1},
	{6, 5, 14, 10, 1, 1, 4, 1, 2},
	{2, 1, 0, 0, 0, 0, 36, 1, 1},
	{7, 6, 8, 4, 2, 2, 4, 2, 8},  // short lives and many sweeps
	{6, 3, 5, 5, 0, 1, 12, 0, 1}, // tasks forked in critical sections
	{2, 1, 9, 4, 4, 1, 20, 0, 1}, // messages out of critical sections
}

// Generate makes a legal trace from the choices in b.
func Generate(b []byte) []Event {
	s := &stream{b}
	g := generator{
		stream: s,
		mix:    mixes[s.below(len(mixes))],
		sites:  1 + s.below(4),
		locks:  1 + s.below(3),
		objs:   1 + s.below(4),
		width:  1 + s.below(6),
		tasks:  2 + s.below(6),
		hands:  [...]int{24, 24, 2}[s.below(3)],
		alive:  []int{0},
		held:   map[int][]Event{},
	}
	for s.more() && len(g.trace) < 400 {
		g.event()
	}
	return Legal(g.trace)
}

type generator struct {
	*stream
	mix                              mix
	sites, locks, objs, width, tasks int
	hands                            int // of so many unlocks any task may make one

	trace []Event
	alive []int
	forks int
	held  map[int][]Event
}

func (g *generator) event() {
	k := g.below(len(g.alive))
	v := Event{Task: g.alive[k]}
	c := g.below(64)
	is := func(n int) bool {
		c -= n
		return c < 0
	}
	m := &g.mix
	switch {
	case is(m.fork):
		if len(g.alive) == g.tasks {
			return
		}
		g.forks++
		v.Op, v.Other = Fork, g.forks
		if g.below(20) == 19 {
			v.Task = -1
		}
		g.alive = append(g.alive, g.forks)
		if g.below(24) == 23 {
			g.trace = append(g.trace, v)
			v = Event{Op: Background, Task: g.forks}
		}
	case is(m.end):
		if k == 0 {
			return
		}
		v.Op = End
		if g.below(4) != 0 {
			g.trace = append(g.trace, Event{Op: ReleaseMerge, Task: v.Task, Addr: g.object()})
		}
		g.alive = append(g.alive[:k:k], g.alive[k+1:]...)
	case is(m.acquire):
		v.Op, v.Addr = Acquire, g.object()
		if g.below(24) == 23 {
			v.Op, v.Addr = AcquireAll, 0
		}
	case is(m.merge):
		v.Op, v.Addr = ReleaseMerge, g.object()
	case is(m.release):
		v.Op, v.Addr = Release, g.object()
	case is(m.exchange):
		v.Op, v.Addr = ReleaseAcquire, g.object()
		if g.below(2) == 0 {
			v = Event{Op: Meet, Task: v.Task, Other: g.alive[g.below(len(g.alive))]}
		}
	case is(m.lock):
		v = g.lock(v)
	case is(m.alloc):
		v.Op = Alloc
		v.Addr, v.N = base+uintptr(g.below(80)), uintptr(1+g.below(48))
		switch g.below(8) {
		case 0:
			v.Addr = base &^ 8191
			v.N = 8192
		case 1:
			v.N = 3 << 13
		case 2, 3, 4: // words, mostly
			v.Addr &^= 7
			v.N = (v.N + 7) &^ 7
		}
		if g.below(2) == 0 { // new memory, see newAt
			g.trace = append(g.trace, v)
			v = Event{Op: Access, Task: v.Task, Kind: parallel.Write, Addr: v.Addr, N: v.N, Site: uintptr(1 + g.below(g.sites))}
		}
	case is(m.other):
		v.Op = Sweep
		if g.below(2) == 1 {
			v.Op = Invalidate
		}
	case len(g.held[v.Task]) > 0 && g.below(5) == 4:
		v.Op, v.Addr, v.N = Order, things+uintptr(g.below(2)), 1
		v.Kind = [...]parallel.Kind{parallel.Read, parallel.AtomicWrite, parallel.Write}[g.below(3)]
	default:
		v.Op = Access
		v.Kind = kinds[g.below(len(kinds))]
		v.Site = uintptr(1 + g.below(g.sites))
		v.Addr, v.N = g.place()
		if v.Kind >= 2 {
			v.Addr &^= 3
			v.N = 4
			if v.Kind == parallel.AtomicWrite {
				o := v.Addr
				switch g.below(6) {
				case 0:
					o = g.object()
					fallthrough
				case 1, 2, 3: // an update, see updateAt
					g.trace = append(g.trace, Event{Op: Acquire, Task: v.Task, Addr: o}, v)
					v = Event{Op: ReleaseMerge, Task: v.Task, Addr: o}
				case 4: // a store
					g.trace = append(g.trace, v)
					v = Event{Op: Release, Task: v.Task, Addr: o}
				}
			}
		} else if v.N <= 8 && g.below(6) == 5 { // a row
			stride := uintptr(1+g.below(4)) * 8
			for range 1 + g.below(6) {
				g.trace = append(g.trace, v)
				v.Addr += stride
			}
		}
	}
	g.trace = append(g.trace, v)
}

// lock takes a lock, or releases one that the task may have taken.
func (g *generator) lock(v Event) Event {
	held := g.held[v.Task]
	if len(held) > 0 && g.below(2) == 0 {
		i := g.below(len(held))
		u := held[i]
		u.Op, u.Quiet = Unlock, false
		g.held[v.Task] = append(held[:i:i], held[i+1:]...)
		if g.below(g.hands) == 0 {
			u.Task = g.alive[g.below(len(g.alive))]
		}
		return u
	}
	v.Op, v.Shared, v.Quiet = Lock, g.below(4) == 0, g.below(3) == 0
	v.Addr = locks + uintptr(g.below(g.locks))*8
	if g.below(12) == 11 {
		v.Addr = inData + 16
	}
	g.held[v.Task] = append(held, v)
	return v
}

var kinds = [...]parallel.Kind{0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 2, 3}

func (g *generator) object() uintptr {
	i := g.below(g.objs + 1)
	if i == g.objs {
		return inData
	}
	return locks + 128 + uintptr(i)*8
}

func (g *generator) place() (addr, n uintptr) {
	switch c := g.below(16); {
	case c < 8: // whole words
		return base + uintptr(g.below(g.width*2))*8, 8
	case c < 11: // parts
		n = 1 << g.below(3)
		return base + uintptr(g.below(g.width*16))&^(n-1), n
	case c < 12: // unaligned
		return base + uintptr(g.below(64)), uintptr(1 + g.below(20))
	case c < 14: // short ranges
		return base + uintptr(g.below(10))*8, uintptr(1+g.below(16)) * 8
	case c < 15: // scattered words, which divide a block into cells
		return far + uintptr(g.below(40))*24, 8
	default: // long ranges
		return base + uintptr(g.below(8))*8, uintptr(g.below(4))<<13 + uintptr(g.below(128))*8
	}
}
