package oracle

import "taskinstr/detector"

// A stream turns bytes into choices; it ends with the bytes.
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

// Where things lie: data at the end of one shadow block and the beginning of the
// next, two more blocks for ranges, objects and locks in a block of their own
// and, to be freed with data, among it.
const (
	base   = 0xc000102000 - 32
	far    = base + 3<<13
	locks  = 0xc000200000
	inData = base + 40
)

// Generate makes a legal trace of the choices in b.
func Generate(b []byte) []Event {
	s := &stream{b}
	var trace []Event
	alive := []int{0}
	forks := 0
	sites := 1 + s.below(4)
	nLocks := s.below(4)
	nObjs := 1 + s.below(4)
	width := 1 + s.below(4)
	mutex := s.below(3) == 0 // most of what happens is under locks
	lastLock := map[int][]Event{}
	for s.more() && len(trace) < 400 {
		k := s.below(len(alive))
		v := Event{Task: alive[k]}
		c := s.below(64)
		if mutex && nLocks > 0 && c >= 20 && c < 32 {
			c = 20
		}
		switch {
		case c < 5 && len(alive) < 7:
			forks++
			v.Op, v.Other = Fork, forks
			if s.below(20) == 19 {
				v.Task = -1
			}
			alive = append(alive, forks)
		case c < 7:
			if k == 0 {
				continue
			}
			v.Op = End
			if s.below(4) != 0 {
				trace = append(trace, Event{Op: ReleaseMerge, Task: v.Task, Addr: object(s, nObjs)})
			}
			alive = append(alive[:k:k], alive[k+1:]...)
		case c < 12:
			v.Op, v.Addr = Acquire, object(s, nObjs)
		case c < 15:
			v.Op, v.Addr = ReleaseMerge, object(s, nObjs)
		case c < 17:
			v.Op, v.Addr = Release, object(s, nObjs)
		case c < 20:
			v.Op, v.Addr = ReleaseAcquire, object(s, nObjs)
		case c < 27 && nLocks > 0:
			held := lastLock[v.Task]
			if len(held) > 0 && s.below(2) == 0 {
				i := s.below(len(held))
				v = held[i]
				v.Op = Unlock
				lastLock[v.Task] = append(held[:i:i], held[i+1:]...)
				if s.below(24) == 23 {
					v.Task = alive[s.below(len(alive))]
				}
			} else {
				v.Op, v.Shared = Lock, s.below(4) == 0
				v.Addr = locks + uintptr(s.below(nLocks))*8
				if s.below(12) == 11 {
					v.Addr = inData + 16
				}
				lastLock[v.Task] = append(held, v)
			}
		case c < 29:
			v.Op = Alloc
			v.Addr, v.N = base+uintptr(s.below(80)), uintptr(1+s.below(48))
			switch s.below(8) {
			case 0:
				v.Addr = base &^ 8191
				v.N = 8192
			case 1:
				v.N = 3 << 13
			}
		case c < 30:
			v.Op = Sweep
		case c < 31:
			v.Op = Invalidate
		default:
			v.Op = Access
			v.Kind = kinds[s.below(len(kinds))]
			v.Site = uintptr(1 + s.below(sites))
			v.Addr, v.N = place(s, width)
			if v.Kind >= 2 {
				v.Addr &^= 3
				v.N = 4
			}
		}
		trace = append(trace, v)
	}
	return Legal(trace)
}

var kinds = [...]detector.Kind{0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 2, 3}

func object(s *stream, n int) uintptr {
	i := s.below(n + 1)
	if i == n {
		return inData
	}
	return locks + 128 + uintptr(i)*8
}

func place(s *stream, width int) (addr, n uintptr) {
	switch c := s.below(16); {
	case c < 8: // whole words
		return base + uintptr(s.below(width*2))*8, 8
	case c < 11: // parts
		n = 1 << s.below(3)
		return base + uintptr(s.below(width*16))&^(n-1), n
	case c < 12: // odd ones
		return base + uintptr(s.below(64)), uintptr(1 + s.below(20))
	case c < 14: // short ranges
		return base + uintptr(s.below(10))*8, uintptr(1+s.below(16)) * 8
	case c < 15: // scattered words, to cut a block into cells
		return far + uintptr(s.below(40))*24, 8
	default: // long ranges
		return base + uintptr(s.below(8))*8, uintptr(s.below(4))<<13 + uintptr(s.below(128))*8
	}
}
