package diagnosis

import (
	"fmt"
	"maps"
	"sort"
	"strings"

	"taskinstr/detector/event"
)

// brute decides a question by executing the events of a trace in all orders. If lenient,
// a condition with an unknown value may flip.
type brute struct {
	trace   []event.Event
	tasks   map[uint32][]int
	needs   map[int][]int
	flip    map[int]bool
	ready   []int
	lenient bool
	seen    map[string]bool
}

// A world is a state of the execution.
type world struct {
	at      map[uint32]int // events that each task has executed
	done    map[int]bool
	flipped map[int]bool
	holders map[uint64][]int // Lock events
	bytes   map[uint64]cell
	reads   map[uint32]found // by site
	writes  int
}

// A cell is who wrote a byte last, and when.
type cell struct {
	event int
	time  int
	value byte
	known bool
}

type found struct {
	value uint64
	known bool
}

func newBrute(trace []event.Event, q Question, lenient bool) *brute {
	b := &brute{trace: trace, tasks: map[uint32][]int{}, needs: map[int][]int{}, flip: map[int]bool{}, ready: q.Ready, lenient: lenient, seen: map[string]bool{}}
	forks, sets := map[uint32]int{}, map[uint64]int{}
	var ends []int
	for i, e := range trace {
		if e.Op == event.Alloc {
			continue
		}
		if f, ok := forks[e.Task]; ok && len(b.tasks[e.Task]) == 0 {
			b.needs[i] = append(b.needs[i], f)
		}
		b.tasks[e.Task] = append(b.tasks[e.Task], i)
		switch e.Op {
		case event.Fork:
			forks[e.Other] = i
		case event.End:
			ends = append(ends, i)
		case event.FinishEnd:
			b.needs[i] = append(b.needs[i], ends...)
		case event.Set:
			sets[e.Obj] = i
		case event.Get:
			b.needs[i] = append(b.needs[i], sets[e.Obj])
		case event.Branch:
			for _, d := range q.Flip {
				if e.Obj == d {
					b.flip[i] = true
				}
			}
		}
	}
	return b
}

func (b *brute) feasible() bool {
	w := &world{at: map[uint32]int{}, done: map[int]bool{}, flipped: map[int]bool{}, holders: map[uint64][]int{}, bytes: map[uint64]cell{}, reads: map[uint32]found{}}
	return b.search(w)
}

func (b *brute) search(w *world) bool {
	if b.satisfied(w) {
		return true
	}
	k := b.key(w)
	if b.seen[k] {
		return false
	}
	b.seen[k] = true
	for task, list := range b.tasks {
		if w.at[task] == len(list) {
			continue
		}
		if next := b.step(w, task, list[w.at[task]]); next != nil && b.search(next) {
			return true
		}
	}
	return false
}

func (b *brute) satisfied(w *world) bool {
	if len(w.flipped) < len(b.flip) {
		return false
	}
	for _, q := range b.ready {
		if w.done[q] {
			return false
		}
		for _, i := range b.tasks[b.trace[q].Task] {
			if i < q && !w.done[i] {
				return false
			}
		}
		for _, i := range b.needs[q] {
			if !w.done[i] {
				return false
			}
		}
	}
	return true
}

// step returns the state after event i, nil if it cannot come next.
func (b *brute) step(w *world, task uint32, i int) *world {
	for _, n := range b.needs[i] {
		if !w.done[n] {
			return nil
		}
	}
	if w.flipped[i] {
		return nil // the task waits there, about to take the other side
	}
	e := &b.trace[i]
	read := func(site uint32) (uint64, bool) { f := w.reads[site]; return f.value, f.known }
	n := w.clone()
	switch e.Op {
	case event.Lock:
		for _, h := range w.holders[e.Obj] {
			if !e.Shared || !b.trace[h].Shared {
				return nil
			}
		}
		n.holders[e.Obj] = append(append([]int(nil), w.holders[e.Obj]...), i)
	case event.Unlock:
		var rest []int
		for _, h := range w.holders[e.Obj] {
			if b.trace[h].Task != task {
				rest = append(rest, h)
			}
		}
		n.holders[e.Obj] = rest
	case event.Branch:
		if e.Expr == nil {
			break
		}
		v, known := e.Expr.Eval(read)
		if b.flip[i] {
			if known && (v != 0) == e.Taken || !known && !b.lenient {
				return nil
			}
			n.flipped[i] = true
			return n
		}
		if known && (v != 0) != e.Taken {
			return nil
		}
	case event.Access:
		if !e.Kind.Writes() {
			v, known := b.load(w, i)
			n.reads[e.Site] = found{v, known}
			break
		}
		v, known := e.Value, e.Valued
		if known && e.Expr != nil {
			v, known = e.Expr.Eval(read)
		}
		n.writes++
		for k := range e.Size {
			n.bytes[e.Addr+k] = cell{event: i, time: n.writes}
		}
		addr, size := told(e)
		for k := range uint64(size) {
			n.bytes[addr+k] = cell{i, n.writes, byte(v >> (8 * k)), known}
		}
	}
	n.at[task]++
	n.done[i] = true
	return n
}

// load returns the value that a read finds. It is known if one write with a known value left
// all of the bytes, or if no write came before and the trace tells the first value.
func (b *brute) load(w *world, i int) (v uint64, known bool) {
	e := &b.trace[i]
	latest := cell{event: -1}
	for k := range e.Size {
		if c, ok := w.bytes[e.Addr+k]; ok && c.time > latest.time {
			latest = c
		}
	}
	if latest.event < 0 {
		return b.initial(i)
	}
	addr, size := told(e)
	from, left := told(&b.trace[latest.event])
	if from > addr || from+uint64(left) < addr+uint64(size) || !w.bytes[addr].known {
		return 0, false
	}
	for k := range uint64(size) {
		v |= uint64(w.bytes[addr+k].value) << (8 * k)
	}
	return v, true
}

func (b *brute) initial(i int) (uint64, bool) {
	e := &b.trace[i]
	wanted, size := told(e)
	alloc := false
	for k := range b.trace {
		x := &b.trace[k]
		switch {
		case x.Op == event.Alloc:
			alloc = true
		case x.Op != event.Access || x.Addr >= e.Addr+e.Size || e.Addr >= x.Addr+x.Size:
		case x.Kind.Writes():
			return 0, alloc
		default:
			if addr, n := told(x); addr == wanted && n == size {
				return x.Value, true
			}
		}
	}
	return 0, alloc
}

func (w *world) clone() *world {
	return &world{
		at:      maps.Clone(w.at),
		done:    maps.Clone(w.done),
		flipped: maps.Clone(w.flipped),
		holders: maps.Clone(w.holders),
		bytes:   maps.Clone(w.bytes),
		reads:   maps.Clone(w.reads),
		writes:  w.writes,
	}
}

// key names a state: two with one key have the same future.
func (b *brute) key(w *world) string {
	var s strings.Builder
	for t := range uint32(len(b.tasks)) {
		fmt.Fprint(&s, w.at[t], " ")
	}
	fmt.Fprint(&s, w.flipped, "|")
	var times []int
	for _, c := range w.bytes {
		times = append(times, c.time)
	}
	sort.Ints(times)
	for a := uint64(memory - 8); a < memory+8*(words+1); a++ {
		if c, ok := w.bytes[a]; ok {
			fmt.Fprint(&s, c.event, c.value, c.known, sort.SearchInts(times, c.time), " ")
		} else {
			s.WriteString("- ")
		}
	}
	fmt.Fprint(&s, "|", w.reads)
	return s.String()
}
