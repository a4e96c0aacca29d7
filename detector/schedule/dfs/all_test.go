package dfs

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Programs over all kinds of synchronization, explored and run in every interleaving.

// An act is one step of a task of a program.
//
//	go T            starts task T                   lock M, unlock M, rlock M, runlock M
//	try M           takes M if it is free; if not, the task skips up to its next act "fi"
//	send C, recv C, close C                         select C D    the first of these that has a value, or
//	poll C          a receive that does not wait       waits for one
//	load V, store V, add V (a read-modify-write)    more W, done W, wait W    a WaitGroup
//	cond K, signal K, broadcast K                   note K: "cond K" registers, "park K" waits
type act struct {
	kind string
	args []string
}

// A program is a list of tasks. Task 0 runs first. caps has the capacities of buffered channels.
type program struct {
	tasks [][]act
	caps  map[string]int
}

// parse reads a program: a line for each task, acts separated by semicolons.
func parse(text string) program {
	p := program{caps: map[string]int{}}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		var acts []act
		for s := range strings.SplitSeq(line, ";") {
			f := strings.Fields(s)
			switch {
			case len(f) == 0:
			case f[0] == "cap":
				n := 0
				fmt.Sscan(f[2], &n)
				p.caps[f[1]] = n
			case f[0] == "once": // as sync.Once does
				load, m := act{"load", f[1:]}, []string{f[1] + "m"}
				acts = append(acts, load, act{"unless", []string{f[1], "fi"}}, act{"lock", m}, load, act{"unless", []string{f[1], "un"}},
					act{"store", f[1:]}, act{"un", nil}, act{"unlock", m}, act{"fi", nil})
			default:
				acts = append(acts, act{f[0], f[1:]})
			}
		}
		p.tasks = append(p.tasks, acts)
	}
	return p
}

// A waiter waits for a channel: with a value to send, or as a receiver.
type waiter struct {
	task, value int
	from        []string // the channels of a select
}

type channel struct {
	cap            int
	buf            []int
	senders, recvs []waiter
	closed         bool
}

// A world is the state of a run.
type world struct {
	p               program
	pc              []int
	alive, parked   []bool
	writer, readers map[string]int // writer: 1 + the task
	vars            map[string]int
	chans           map[string]*channel
	count           map[string]int // of WaitGroups
	waiting         map[string][]int
	log             [][]string // what each task has seen
}

func newWorld(p program) *world {
	n := len(p.tasks)
	w := &world{p: p, pc: make([]int, n), alive: make([]bool, n), parked: make([]bool, n), writer: map[string]int{}, readers: map[string]int{},
		vars: map[string]int{}, chans: map[string]*channel{}, count: map[string]int{}, waiting: map[string][]int{}, log: make([][]string, n)}
	w.alive[0] = true
	return w
}

func (w *world) clone() *world {
	c := *w
	c.pc, c.alive, c.parked = slices.Clone(w.pc), slices.Clone(w.alive), slices.Clone(w.parked)
	c.writer, c.readers, c.vars, c.count = maps.Clone(w.writer), maps.Clone(w.readers), maps.Clone(w.vars), maps.Clone(w.count)
	c.chans, c.waiting = map[string]*channel{}, map[string][]int{}
	for k, v := range w.chans {
		x := *v
		x.buf, x.senders, x.recvs = slices.Clone(v.buf), slices.Clone(v.senders), slices.Clone(v.recvs)
		c.chans[k] = &x
	}
	for k, v := range w.waiting {
		c.waiting[k] = slices.Clone(v)
	}
	c.log = make([][]string, len(w.log))
	for i := range w.log {
		c.log[i] = slices.Clone(w.log[i])
	}
	return &c
}

func (w *world) ch(name string) *channel {
	if w.chans[name] == nil {
		w.chans[name] = &channel{cap: w.p.caps[name]}
	}
	return w.chans[name]
}

func (w *world) over(t int) bool { return w.pc[t] >= len(w.p.tasks[t]) }

// settle runs what is no operation: starts of tasks, decreases of WaitGroups.
func (w *world) settle() {
	for again := true; again; {
		again = false
		for t := range w.p.tasks {
			for w.alive[t] && !w.parked[t] && !w.over(t) && w.local(t, w.p.tasks[t][w.pc[t]]) {
				again = true
			}
		}
	}
}

func (w *world) local(t int, a act) bool {
	switch a.kind {
	case "go":
		var n int
		fmt.Sscan(a.args[0], &n)
		w.alive[n] = true
	case "done":
		w.count[a.args[0]]--
	case "fi", "un":
	case "unless": // the last load found another value than 0
		if last := w.log[t][len(w.log[t])-1]; last != a.args[0]+"=0" {
			w.skip(t, a.args[1])
			return true
		}
	case "park":
		w.parked[t] = slices.Contains(w.waiting[a.args[0]], t)
	default:
		return false
	}
	w.pc[t]++
	return true
}

// skip continues at the next act of a kind.
func (w *world) skip(t int, kind string) {
	for !w.over(t) && w.p.tasks[t][w.pc[t]].kind != kind {
		w.pc[t]++
	}
}

func (w *world) see(t int, s string) { w.log[t] = append(w.log[t], s) }

func (w *world) candidates() (cs []Candidate) {
	for t := range w.p.tasks {
		if !w.alive[t] || w.parked[t] || w.over(t) {
			continue
		}
		a := w.p.tasks[t][w.pc[t]]
		s := Section{Lock: strings.Join(a.args, ",")}
		c := Candidate{Task: name(t)}
		switch a.kind {
		case "rlock", "load", "more":
			s.Shared = true
		case "wait":
			s.Wait = true
		case "try":
			s.Try = true
		case "unlock":
			s.Unlock = true
		case "runlock":
			s.Unlock, s.Shared = true, true
		}
		switch a.kind {
		case "lock":
			c.Blocked = w.writer[s.Lock] != 0 || w.readers[s.Lock] != 0
		case "rlock":
			c.Blocked = w.writer[s.Lock] != 0
		case "wait":
			c.Blocked = w.count[s.Lock] > 0
		}
		switch a.kind {
		case "send", "recv", "select", "poll", "close":
			s.Lock = strings.Join(w.reach(a.args), ",")
		}
		c.Section = s
		cs = append(cs, c)
	}
	return cs
}

// reach returns the channels that an operation on some channels may change: also those of a select that waits for one
// of them.
func (w *world) reach(names []string) []string {
	names = slices.Clone(names)
	for i := 0; i < len(names); i++ {
		for _, r := range w.ch(names[i]).recvs {
			for _, x := range r.from {
				if !slices.Contains(names, x) {
					names = append(names, x)
				}
			}
		}
	}
	return names
}

// do makes the operation of task t.
func (w *world) do(t int) {
	a := w.p.tasks[t][w.pc[t]]
	w.pc[t]++
	x := a.args[0]
	switch a.kind {
	case "lock":
		w.writer[x] = t + 1
	case "rlock":
		w.readers[x]++
	case "unlock":
		w.writer[x] = 0
	case "runlock":
		w.readers[x]--
	case "try":
		if w.writer[x] != 0 || w.readers[x] != 0 {
			w.see(t, "busy")
			w.skip(t, "fi")
			return
		}
		w.writer[x] = t + 1
	case "load":
		w.see(t, fmt.Sprint(x, "=", w.vars[x]))
	case "store":
		w.vars[x] = 100*t + w.pc[t]
	case "add":
		w.vars[x] = w.vars[x]*31 + 100*t + w.pc[t]
		w.see(t, fmt.Sprint(x, "=", w.vars[x]))
	case "more":
		w.count[x]++
	case "wait":
	case "send":
		w.send(t, w.ch(x), 100*t+w.pc[t])
	case "recv", "select":
		w.recv(t, a.args)
	case "poll":
		c := w.ch(x)
		if len(c.buf) == 0 && len(c.senders) == 0 && !c.closed {
			w.see(t, "nothing")
			return
		}
		w.recv(t, a.args)
	case "close":
		w.close(t, w.ch(x))
	case "cond":
		w.waiting[x] = append(w.waiting[x], t)
	case "signal", "broadcast":
		for len(w.waiting[x]) > 0 {
			w.parked[w.waiting[x][0]] = false
			w.waiting[x] = w.waiting[x][1:]
			if a.kind == "signal" {
				break
			}
		}
	default:
		panic(a.kind)
	}
}

func (w *world) dies(t int) {
	w.see(t, "panic")
	w.pc[t] = len(w.p.tasks[t])
}

func (w *world) send(t int, c *channel, v int) {
	switch {
	case c.closed:
		w.dies(t)
	case len(c.recvs) > 0:
		w.give(c.recvs[0], v)
	case len(c.buf) < c.cap:
		c.buf = append(c.buf, v)
	default:
		c.senders = append(c.senders, waiter{task: t, value: v})
		w.parked[t] = true
	}
}

// give passes a value to a receiver.
func (w *world) give(r waiter, v int) {
	for _, x := range r.from {
		c := w.ch(x)
		c.recvs = slices.DeleteFunc(c.recvs, func(o waiter) bool { return o.task == r.task })
	}
	w.see(r.task, fmt.Sprint(v))
	w.parked[r.task] = false
}

func (w *world) recv(t int, from []string) {
	for _, x := range from {
		c := w.ch(x)
		switch {
		case len(c.buf) > 0:
			w.see(t, fmt.Sprint(c.buf[0]))
			c.buf = c.buf[1:]
			if len(c.senders) > 0 {
				c.buf = append(c.buf, c.senders[0].value)
				w.parked[c.senders[0].task] = false
				c.senders = c.senders[1:]
			}
		case len(c.senders) > 0:
			w.see(t, fmt.Sprint(c.senders[0].value))
			w.parked[c.senders[0].task] = false
			c.senders = c.senders[1:]
		case c.closed:
			w.see(t, "closed")
		default:
			continue
		}
		return
	}
	w.parked[t] = true
	for _, x := range from {
		w.ch(x).recvs = append(w.ch(x).recvs, waiter{task: t, from: from})
	}
}

func (w *world) close(t int, c *channel) {
	if c.closed {
		w.dies(t)
		return
	}
	c.closed = true
	for len(c.recvs) > 0 {
		w.give(c.recvs[0], -1)
	}
	for _, s := range c.senders {
		w.parked[s.task] = false
		w.dies(s.task)
	}
	c.senders = nil
}

// outcome renders the final state.
func (w *world) outcome() string {
	return fmt.Sprint(w.log, w.vars, w.pc, w.parked)
}

// free lists the tasks that can make their operations.
func free(cs []Candidate) (tasks []int) {
	for _, c := range cs {
		if !c.Blocked {
			var t int
			fmt.Sscanf(c.Task, "t%d", &t)
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// run is the host of a program. After the prefix it prefers the last candidate.
func (p program) run(prefix []string) (choices []Choice, outcome string) {
	w := newWorld(p)
	for {
		w.settle()
		cs := w.candidates()
		tasks := free(cs)
		if len(tasks) == 0 {
			if len(cs) > 0 {
				choices = append(choices, Choice{Candidates: cs})
			}
			return choices, w.outcome()
		}
		t := tasks[len(tasks)-1]
		if k := len(choices); k < len(prefix) {
			fmt.Sscanf(prefix[k], "t%d", &t)
		}
		choices = append(choices, Choice{Task: name(t), Candidates: cs})
		w.do(t)
	}
}

func stepsOf(choices []Choice) (steps []step) {
	for _, c := range choices {
		if c.Task != "" {
			steps = append(steps, stepOf(c))
		}
	}
	return steps
}

// all runs p in every interleaving.
func (p program) all(limit int) (outcomes, classes map[string]bool, runs int) {
	outcomes, classes = map[string]bool{}, map[string]bool{}
	var walk func(w *world, choices []Choice)
	walk = func(w *world, choices []Choice) {
		if runs > limit {
			return
		}
		w.settle()
		cs := w.candidates()
		tasks := free(cs)
		if len(tasks) == 0 {
			runs++
			outcomes[w.outcome()] = true
			classes[class(stepsOf(choices))] = true
		}
		for _, t := range tasks {
			next := w.clone()
			next.do(t)
			walk(next, append(slices.Clip(choices), Choice{Task: name(t), Candidates: cs}))
		}
	}
	walk(newWorld(p), nil)
	return outcomes, classes, runs
}

// visit explores p. Each class of interleavings must be visited once, and each outcome seen.
func (p program) visit(t *testing.T, limit int) (e *Explorer, classes, runs int) {
	t.Helper()
	outcomes, all, runs := p.all(limit)
	if runs > limit {
		return nil, 0, runs
	}
	seen, visits := map[string]bool{}, map[string]int{}
	orders := 0
	e = &Explorer{}
	for {
		prefix, ok := e.Next()
		if !ok {
			break
		}
		choices, outcome := p.run(prefix)
		if err := e.Done(choices); err != nil {
			t.Fatalf("%v: %v", p, err)
		}
		if e.Orders > orders { // the run is not redundant
			visits[class(stepsOf(choices))]++
		}
		orders = e.Orders
		seen[outcome] = true
	}
	if !maps.Equal(seen, outcomes) {
		t.Fatalf("%v: %d of %d outcomes", p, len(seen), len(outcomes))
	}
	for c, n := range visits {
		if n != 1 {
			t.Errorf("%v: %d visits of %s", p, n, c)
		}
	}
	if len(visits) != len(all) {
		t.Fatalf("%v: %d of %d classes in %d runs", p, len(visits), len(all), e.Runs)
	}
	return e, len(all), runs
}

func TestEachTraceOnce(t *testing.T) {
	for _, c := range []struct {
		name, text string
		orders     int
	}{
		{"two locks in one order", "go 1; go 2\nlock m; unlock m\nlock m; unlock m", 2},
		{"three sections", "go 1; go 2; go 3\nlock m; unlock m\nlock m; unlock m\nlock m; unlock m", 6},
		{"different locks", "go 1; go 2\nlock m; unlock m\nlock n; unlock n", 1},
		{"lock order", "go 1; go 2\nlock m; lock n; unlock n; unlock m\nlock n; lock m; unlock m; unlock n", 3},
		{"double lock", "go 1\nlock m; lock m", 1},
		{"readers", "go 1; go 2\nrlock m; runlock m\nrlock m; runlock m", 1},
		{"readers and a writer", "go 1; go 2; go 3\nrlock m; runlock m\nrlock m; runlock m\nlock m; unlock m", 4},
		{"try", "go 1; go 2\nlock m; unlock m\ntry m; unlock m; fi", 3},
		{"two tries", "go 1; go 2\ntry m; unlock m; fi\ntry m; unlock m; fi", 4},
		{"try in a section of another lock", "go 1; go 2\nlock m; lock n; unlock n; unlock m\ntry m; unlock m; fi; lock n; unlock n", 0},
		{"a promise", "go 1; recv c\nsend c", 2},
		{"two senders", "go 1; go 2; recv c; recv c\nsend c\nsend c", 0},
		{"two senders, buffered", "cap c 2; go 1; go 2; recv c; recv c\nsend c\nsend c", 0},
		{"a full buffer", "cap c 1; go 1; recv c; recv c\nsend c; send c", 0},
		{"close as broadcast", "go 1; go 2; close c\nrecv c\nrecv c", 0},
		{"send on a closed channel", "go 1; close c\nsend c", 2},
		{"close twice", "go 1; close c\nclose c", 2},
		{"nobody receives", "go 1; go 2; recv c\nsend c\nsend c", 0},
		{"select of two", "go 1; go 2; select c d\nsend c\nsend d", 0},
		{"select and close", "go 1; go 2; select c d\nsend c\nclose d", 0},
		{"poll", "go 1; poll c\nsend c", 2},
		{"poll twice, buffered", "cap c 1; go 1; poll c; poll c\nsend c", 3},
		{"a WaitGroup", "more w; more w; go 1; go 2; wait w; load v\nstore v; done w\nload v; done w", 2},
		{"a WaitGroup with locks", "more w; more w; more w; go 1; go 2; go 3; wait w; lock m; unlock m\nlock m; unlock m; done w\nlock m; unlock m; done w\nlock m; unlock m; done w", 6},
		{"a WaitGroup raised by the task", "go 1; wait w; load v\nmore w; store v; done w", 3},
		{"two who wait", "more w; go 1; go 2; wait w\nwait w\ndone w", 1},
		{"loads", "go 1; go 2\nload v\nload v", 1},
		{"a flag", "go 1; store v\nload v; load v", 3},
		{"store buffering", "go 1; store x; load y\nstore y; load x", 3},
		{"message passing", "go 1; store x; store y\nload y; load x", 3},
		{"counters", "go 1; go 2; add v\nadd v\nadd v", 6},
		{"independent reads of independent writes", "go 1; go 2; go 3; store x\nstore y\nload x; load y\nload y; load x", 0},
		{"a flag under a lock", "go 1; lock m; store v; unlock m\nload v; lock m; unlock m", 0},
		{"Once", "go 1; go 2\nonce o\nonce o", 0},
		{"Once by three", "go 1; go 2; once o\nonce o\nonce o", 0},
		{"Cond", "go 1; lock m; cond k; unlock m; park k; lock m; unlock m\nlock m; signal k; unlock m", 2},
		{"Cond with two", "go 1; go 2; lock m; broadcast k; unlock m\nlock m; cond k; unlock m; park k; lock m; unlock m\nlock m; cond k; unlock m; park k; lock m; unlock m", 0},
		{"a signal that is lost", "go 1; cond k; park k\nsignal k", 2},
		{"a pipeline", "go 1; go 2; send a; close a\nrecv a; send b; recv a; close b\nrecv b; recv b", 0},
		{"a semaphore", "cap s 1; go 1; go 2\nsend s; add v; recv s\nsend s; add v; recv s", 0},
		{"a task started late", "go 1; lock m; unlock m\nlock m; unlock m; go 2\nlock m; unlock m", 0},
		{"a chain of tasks", "go 1; load v\nstore v; go 2\nstore v; go 3\nstore v", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, classes, runs := parse(c.text).visit(t, 1<<20)
			if e == nil {
				t.Fatal("too large")
			}
			if c.orders != 0 && e.Orders != c.orders {
				t.Errorf("%d orders, want %d", e.Orders, c.orders)
			}
			t.Logf("%d classes of %d interleavings, in %d runs", classes, runs, e.Runs)
		})
	}
}

// Random programs over all kinds of synchronization.
func TestEachTraceOnceRandom(t *testing.T) {
	total, orders, all, programs := 0, 0, 0, 0
	for i := range *models / 10 {
		r := rand.New(rand.NewPCG(uint64(i), 7))
		pick := func(list ...string) string { return list[r.IntN(len(list))] }
		var lines []string
		n := 2 + r.IntN(2)
		first := pick("", "cap c 1;", "cap c 2; cap d 1;")
		for k := range n {
			first += fmt.Sprint("go ", k+1, ";")
		}
		for k := range n + 1 {
			var acts []string
			for range 1 + r.IntN(3) {
				x := pick("c", "d")
				switch r.IntN(13) {
				case 0, 1:
					m := pick("m", "n")
					acts = append(acts, "lock "+m, pick("load v", "store v", "send "+x, ""), "unlock "+m)
				case 2:
					acts = append(acts, "rlock m", pick("", "load v", "lock n;unlock n"), "runlock m")
				case 3:
					acts = append(acts, "try m", pick("", "store u"), "unlock m", "fi")
				case 4:
					acts = append(acts, "send "+x)
				case 5:
					acts = append(acts, "recv "+x)
				case 6:
					acts = append(acts, pick("close "+x, "poll "+x, "select c d"))
				case 7:
					acts = append(acts, pick("load v", "load u"))
				case 8:
					acts = append(acts, pick("store v", "add u"))
				case 9:
					acts = append(acts, "once o")
				case 10:
					acts = append(acts, pick("cond k; park k", "signal k", "broadcast k"))
				case 11:
					acts = append(acts, pick("more w; done w", "wait w"))
				case 12:
					if k > 0 {
						acts = append(acts, "more w; load v; done w")
					}
				}
			}
			line := strings.Join(acts, ";")
			if k == 0 {
				line = first + line
			}
			lines = append(lines, line)
		}
		e, classes, runs := parse(strings.Join(lines, "\n")).visit(t, 300)
		if e == nil || t.Failed() {
			if t.Failed() {
				t.Fatal(strings.Join(lines, "\n"))
			}
			continue
		}
		programs++
		total += e.Runs
		orders += classes
		all += runs
	}
	t.Logf("%d programs: %d orders, found in %d runs of %d", programs, orders, total, all)
}
