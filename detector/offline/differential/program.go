package differential

import (
	"math/rand/v2"
	"slices"

	"taskinstr/detector/event"
)

// Features selects the elements of random programs besides tasks and accesses.
type Features struct {
	Finish   bool // nested finish scopes; without them only main waits, at its end
	Sync     bool // spawn and sync: each task waits for its own children at its end, and perhaps earlier
	Promises bool // each set once by a task and read by others
	Isolated bool // sections of one global lock
	Locks    bool // sections of several locks, nested, some of them shared
	Atomics  bool // atomic accesses
	Ranges   bool // accesses of several words and of parts of words
}

// A Program is one random program.
type Program struct {
	main *task
}

// A task is a list of operations. It belongs to a scope of its parent.
type task struct {
	ops []op
}

type op struct {
	ev    event.Event
	child *task // of a Fork
}

// Base is the address of the words that programs access.
const Base = 0xc000100000

const (
	words = 6
	site0 = 1 // site of the first access; each access has its own site
)

// Random returns a program of about size operations.
func Random(r *rand.Rand, size int, f Features) *Program {
	g := &generator{r: r, f: f, left: size, scope: 1 << 8, promise: 1 << 16, site: site0}
	p := &Program{main: g.task(0, 0)}
	return p
}

// Stretch makes by bytes of each byte of a program's memory, so that accesses are of whole lines
// of shadow memory and parts of them.
func Stretch(trace []event.Event, by uint64) []event.Event {
	trace = slices.Clone(trace)
	for i := range trace {
		if e := &trace[i]; e.Op == event.Access {
			e.Addr, e.Size = Base+(e.Addr-Base)*by, e.Size*by
		}
	}
	return trace
}

type generator struct {
	r       *rand.Rand
	f       Features
	left    int
	scope   uint64
	promise uint64
	set     []uint64 // promises set before the present place in depth-first order
	site    uint32
}

// task makes a task that ends in scope.
func (g *generator) task(depth int, scope uint64) *task {
	t := new(task)
	own := uint64(0)
	if g.f.Sync || depth == 0 {
		own = g.open(t)
		scope = own
	}
	g.body(t, depth, scope, own, 2+g.r.IntN(8))
	if own != 0 {
		g.close(t, own)
	}
	return t
}

func (g *generator) open(t *task) uint64 {
	g.scope++
	t.add(event.Event{Op: event.FinishBegin, Obj: g.scope})
	return g.scope
}

func (g *generator) close(t *task, scope uint64) {
	t.add(event.Event{Op: event.FinishEnd, Obj: scope})
}

// body adds n operations. Tasks forked by them belong to scope. own is the scope that a
// sync ends and opens again under the same number, 0 if there is none.
func (g *generator) body(t *task, depth int, scope, own uint64, n int) {
	for ; n > 0 && g.left > 0; n-- {
		g.left--
		switch k := g.r.IntN(16); {
		case k < 5 && depth < 6:
			child := g.task(depth+1, scope)
			child.add(event.Event{Op: event.End, Obj: scope})
			t.ops = append(t.ops, op{ev: event.Event{Op: event.Fork}, child: child})
		case k == 5 && g.f.Finish && depth < 6:
			s := g.open(t)
			g.body(t, depth, s, 0, 1+g.r.IntN(5))
			g.close(t, s)
		case k == 6 && g.f.Sync && own != 0:
			g.close(t, own)
			t.add(event.Event{Op: event.FinishBegin, Obj: own})
		case k == 7 && g.f.Promises:
			g.promise++
			t.add(event.Event{Op: event.Set, Obj: g.promise})
			g.set = append(g.set, g.promise)
		case k == 8 && len(g.set) > 0:
			t.add(event.Event{Op: event.Get, Obj: g.set[g.r.IntN(len(g.set))]})
		case k == 9 && g.f.Isolated:
			g.section(t, event.Isolation, false, 1)
		case k <= 11 && g.f.Locks:
			g.section(t, uint64(0x10+8*g.r.IntN(3)), g.r.IntN(4) == 0, 2)
		default:
			g.access(t)
		}
	}
}

// section adds a critical section with up to three operations and up to nest-1 levels of
// further sections inside. Locks are taken in ascending order, so there are no deadlocks.
func (g *generator) section(t *task, lock uint64, shared bool, nest int) {
	t.add(event.Event{Op: event.Lock, Obj: lock, Shared: shared})
	for n := 1 + g.r.IntN(3); n > 0; n-- {
		if nest > 1 && g.f.Locks && g.r.IntN(4) == 0 && lock < 0x20 {
			g.section(t, lock+8, false, nest-1)
		} else {
			g.access(t)
		}
	}
	t.add(event.Event{Op: event.Unlock, Obj: lock, Shared: shared})
}

func (g *generator) access(t *task) {
	e := event.Event{Op: event.Access, Addr: Base + 8*uint64(g.r.IntN(words)), Size: 8, Site: g.site}
	g.site++
	if g.r.IntN(2) == 0 {
		e.Kind = event.Write
	}
	if g.f.Atomics && g.r.IntN(8) == 0 {
		e.Kind |= event.AtomicRead
	} else if g.f.Ranges {
		switch g.r.IntN(4) {
		case 0:
			e.Size = 8 * uint64(1+g.r.IntN(words))
			e.Addr = Base + 8*uint64(g.r.IntN(words-int(e.Size/8)+1))
		case 1:
			e.Size = 1 << g.r.IntN(3)
			e.Addr += e.Size * uint64(g.r.IntN(int(8/e.Size)))
		}
	}
	t.add(e)
}

func (t *task) add(e event.Event) { t.ops = append(t.ops, op{ev: e}) }
