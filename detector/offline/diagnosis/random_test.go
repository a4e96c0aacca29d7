package diagnosis

import (
	"math/rand/v2"

	"taskinstr/detector/event"
)

// Random traces with values: a few tasks that read and write a few words under locks,
// branches on the values that they read, and writes that depend on these values.

const (
	memory   = 0xc000100000
	words    = 2
	lockBase = 0x100
)

type generator struct {
	r    *rand.Rand
	site uint32
	left int
}

// An action is an event to be, or a branch with two sides.
type action struct {
	e     event.Event
	other []action // of a Branch: its actions if the condition does not hold
	side  []action // its actions if the condition holds
}

// body returns about n actions of one task.
func (g *generator) body(n int, promises *[]uint64, inBranch bool) []action {
	var list []action
	var sites []uint32 // of reads
	for ; n > 0 && g.left > 0; n-- {
		g.left--
		switch k := g.r.IntN(13); {
		case k < 3:
			list = append(list, g.read(&sites))
		case k < 6:
			list = append(list, g.write(sites))
		case k < 9 && !inBranch:
			l := uint64(lockBase + 8*(g.r.IntN(4)/3))
			shared := g.r.IntN(3) == 0
			list = append(list, action{e: event.Event{Op: event.Lock, Obj: l, Shared: shared}})
			list = append(list, g.read(&sites))
			if g.r.IntN(3) > 0 {
				list = append(list, g.write(sites))
			}
			list = append(list, action{e: event.Event{Op: event.Unlock, Obj: l, Shared: shared}})
		case k < 11 && !inBranch && len(sites) > 0:
			x := g.compare(sites)
			if g.r.IntN(8) == 0 {
				x = nil
			}
			list = append(list, action{
				e:     event.Event{Op: event.Branch, Expr: x, Site: g.next()},
				side:  g.body(g.r.IntN(2), promises, true),
				other: g.body(1+g.r.IntN(2), promises, true),
			})
		case k == 11 && !inBranch && promises != nil:
			p := uint64(0x50 + len(*promises))
			*promises = append(*promises, p)
			list = append(list, action{e: event.Event{Op: event.Set, Obj: p}})
		case k == 12 && !inBranch && promises != nil && len(*promises) > 0:
			list = append(list, action{e: event.Event{Op: event.Get, Obj: (*promises)[0]}})
		}
	}
	return list
}

func (g *generator) next() uint32 { g.site++; return g.site }

func (g *generator) place() event.Event {
	e := event.Event{Op: event.Access, Addr: memory + 8*uint64(g.r.IntN(words)), Size: 8, Site: g.next(), Valued: true}
	switch g.r.IntN(8) {
	case 0:
		e.Size = 4
		e.Addr += 4 * uint64(g.r.IntN(2))
	case 1: // a string or slice whose length is there
		e.Addr -= 8
		e.Size = 16 + 8*uint64(g.r.IntN(2))
	}
	return e
}

func (g *generator) read(sites *[]uint32) action {
	e := g.place()
	*sites = append(*sites, e.Site)
	return action{e: e}
}

func (g *generator) write(sites []uint32) action {
	e := g.place()
	e.Kind = event.Write
	switch k := g.r.IntN(10); {
	case k == 0:
		e.Valued = false
	case k < 5 && len(sites) > 0:
		e.Expr = event.Expr{{Op: event.ReadAt, Arg: uint64(sites[g.r.IntN(len(sites))])}, {Op: event.Const, Arg: uint64(g.r.IntN(3))}, {Op: event.Add}}
	default:
		e.Value = uint64(g.r.IntN(3))
	}
	return action{e: e}
}

func (g *generator) compare(sites []uint32) event.Expr {
	operand := func() event.Token {
		if g.r.IntN(3) == 0 {
			return event.Token{Op: event.ReadAt, Arg: uint64(sites[g.r.IntN(len(sites))])}
		}
		return event.Token{Op: event.Const, Arg: uint64(g.r.IntN(4))}
	}
	ops := []event.ExprOp{event.Eq, event.Ne, event.Lt, event.Le, event.Gt, event.Ge, event.LtU}
	return event.Expr{{Op: event.ReadAt, Arg: uint64(sites[g.r.IntN(len(sites))])}, operand(), {Op: ops[g.r.IntN(len(ops))]}}
}

// A thread is a task of the machine that executes a random program.
type thread struct {
	id    uint32
	todo  []action
	reads map[uint32]uint64
}

// randomTrace executes a random program in a random order.
func randomTrace(r *rand.Rand) []event.Event {
	g := &generator{r: r, left: 14}
	var promises *[]uint64
	if r.IntN(3) == 0 {
		promises = new([]uint64)
	}
	main := []action{{e: event.Event{Op: event.FinishBegin, Obj: 9}}}
	if r.IntN(4) == 0 {
		main = append(main, action{e: event.Event{Op: event.Alloc, Addr: memory - 8, Size: 8 * (words + 2)}})
	} else {
		for w := range uint64(1 + r.IntN(words)) {
			main = append(main, action{e: event.Event{Op: event.Access, Kind: event.Write, Addr: memory + 8*w, Size: 8, Site: g.next(), Valued: true, Value: uint64(r.IntN(2))}})
		}
	}
	bodies := map[uint32][]action{}
	tasks := uint32(2 + r.IntN(2))
	for id := uint32(1); id <= tasks; id++ {
		main = append(main, action{e: event.Event{Op: event.Fork, Other: id}})
		bodies[id] = append(g.body(2+r.IntN(4), promises, false), action{e: event.Event{Op: event.End, Obj: 9}})
	}
	main = append(main, g.body(r.IntN(3), nil, false)...)
	main = append(main, action{e: event.Event{Op: event.FinishEnd, Obj: 9}})
	main = append(main, g.body(r.IntN(2), nil, false)...)

	var trace []event.Event
	mem := map[uint64]byte{}
	for a := range uint64(8 * (words + 2)) {
		mem[memory-8+a] = byte(r.IntN(2))
	}
	if main[1].e.Op == event.Alloc {
		clear(mem)
	}
	holders := map[uint64][]bool{}
	set := map[uint64]bool{}
	ended, decision := uint32(0), uint64(0)
	threads := []*thread{{todo: main, reads: map[uint32]uint64{}}}
	for {
		var able []*thread
		for _, t := range threads {
			if len(t.todo) == 0 {
				continue
			}
			switch e := &t.todo[0].e; e.Op {
			case event.FinishEnd:
				if ended < tasks {
					continue
				}
			case event.Get:
				if !set[e.Obj] {
					continue
				}
			case event.Lock:
				if h := holders[e.Obj]; len(h) > 0 && !(e.Shared && h[0]) {
					continue
				}
			}
			able = append(able, t)
		}
		if len(able) == 0 {
			return trace // perhaps with tasks that wait for ever
		}
		t := able[r.IntN(len(able))]
		a := t.todo[0]
		t.todo = t.todo[1:]
		e := a.e
		e.Task = t.id
		value := func(site uint32) (uint64, bool) { v, ok := t.reads[site]; return v, ok }
		switch e.Op {
		case event.Fork:
			threads = append(threads, &thread{id: e.Other, todo: bodies[e.Other], reads: map[uint32]uint64{}})
		case event.End:
			ended++
		case event.Set:
			set[e.Obj] = true
		case event.Lock:
			holders[e.Obj] = append(holders[e.Obj], e.Shared)
		case event.Unlock:
			holders[e.Obj] = holders[e.Obj][1:]
		case event.Access:
			addr, size := told(&e)
			if !e.Kind.Writes() {
				for i := range uint64(size) {
					e.Value |= uint64(mem[addr+i]) << (8 * i)
				}
				t.reads[e.Site] = e.Value
				break
			}
			v := e.Value
			if e.Expr != nil {
				v, _ = e.Expr.Eval(value)
				if e.Size == 4 {
					v = uint64(uint32(v))
				}
				e.Value = v
			}
			for i := range e.Size {
				mem[e.Addr+i] = byte(r.IntN(2)) // the pointer and the capacity
			}
			for i := range uint64(size) {
				mem[addr+i] = byte(v >> (8 * i))
			}
			if !e.Valued {
				e.Value = 0
			}
		case event.Branch:
			decision++
			e.Obj = decision
			if e.Expr != nil {
				v, _ := e.Expr.Eval(value)
				e.Taken = v != 0
			}
			trace = append(trace, e)
			taken, not := a.side, a.other
			if !e.Taken {
				taken, not = not, taken
			}
			for _, n := range not {
				if n.e.Op == event.Access {
					p := n.e
					p.Op, p.Task, p.Obj, p.Expr, p.Valued = event.Possible, t.id, decision, nil, false
					trace = append(trace, p)
				}
			}
			t.todo = append(append([]action(nil), taken...), t.todo...)
			continue
		}
		trace = append(trace, e)
	}
}
