package oracle

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"taskinstr/detector/parallel"
)

var (
	sequences = flag.Int("sequences", 4000, "random event sequences to compare")
	seed      = flag.Uint64("seed", 1, "of the sequences")
)

var modes = []struct {
	name string
	o    parallel.Options
}{
	{"weak", parallel.Options{}},
	{"all", parallel.Options{All: true}},
	{"hb", parallel.Options{NoPredict: true}},
}

func fail(t *testing.T, trace []Event, o parallel.Options, err error) {
	t.Helper()
	trace = Shrink(trace, func(x []Event) bool { return Check(x, o, nil) != nil })
	t.Fatalf("%v\nshrunk: %v\n%+v\n%s", err, Check(trace, o, nil), o, Format(trace))
}

// compare checks n traces, each with its options, and returns what they came to.
func compare(t *testing.T, n int, stream uint64, trace func(rnd *rand.Rand, i int) ([]Event, parallel.Options)) (tally Tally) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(*seed, stream))
	for i := range n {
		events, o := trace(rnd, i)
		if err := Check(events, o, &tally); err != nil {
			t.Logf("sequence %d", i)
			fail(t, events, o, err)
		}
	}
	t.Logf("%d sequences: %+v", n, tally)
	return tally
}

// generated returns a trace of n random choices.
func generated(rnd *rand.Rand, n int) []Event {
	b := make([]byte, n)
	for k := range b {
		b[k] = byte(rnd.Uint32())
	}
	return Generate(b)
}

func TestRandomSequences(t *testing.T) {
	n := compare(t, *sequences, 0, func(rnd *rand.Rand, i int) ([]Event, parallel.Options) {
		o := modes[0].o
		if i%4 == 3 {
			o = modes[1+i/4%2].o
		}
		o.Patience = uint32(i % 5) // tasks get filters at different times
		return generated(rnd, 40+rnd.IntN(700)), o
	})
	if n.Races == 0 || n.Predicted == 0 || n.Skipped == 0 {
		t.Errorf("the sequences do not exercise everything: %+v", n)
	}
}

// With few slots the detector may miss races, but reports none that the oracle does not know. It
// misses none while there are as many slots as tasks.
func TestFewSlots(t *testing.T) {
	for _, slots := range []uint32{1, 3, 64, 1024} {
		t.Logf("%d slots", slots)
		compare(t, *sequences/4, uint64(slots), func(rnd *rand.Rand, i int) ([]Event, parallel.Options) {
			o := modes[min(i%6, 2)].o
			o.Slots = slots
			if i%4 == 0 {
				return handedLocks(rnd), o
			}
			return generated(rnd, 40+rnd.IntN(1000)), o
		})
	}
}

// Locks that order for want of slots invent no race.
func TestFewSlotsForMany(t *testing.T) {
	n := compare(t, *sequences/4, 34, func(rnd *rand.Rand, i int) ([]Event, parallel.Options) {
		o := modes[0].o
		o.Slots = 34
		if i%2 == 0 {
			return crowded(rnd, handedLocks(rnd)), o
		}
		return crowded(rnd, generated(rnd, 100+rnd.IntN(1000))), o
	})
	if n.Relaxed == 0 || n.Late == 0 || n.Inside == 0 {
		t.Errorf("the sequences do not exercise everything: %+v", n)
	}
}

// crowded returns trace with short tasks in between, more than 34, most of which leave an access in a critical section, and sweeps.
func crowded(rnd *rand.Rand, trace []Event) []Event {
	var with []Event
	const first = 1000
	often := 1 + 50/max(len(trace), 1)
	for i, v := range trace {
		with = append(with, v)
		for k := range often {
			if often == 1 && rnd.IntN(len(trace)) >= 60 {
				continue
			}
			c := first + i*often + k
			l := locks + uintptr(8*rnd.IntN(3))
			if rnd.IntN(3) != 0 {
				l = locks + 64 + uintptr(8*rnd.IntN(40))
			}
			a := Event{Op: Access, Task: c, Addr: base + uintptr(8*rnd.IntN(8)), N: 8, Kind: parallel.Kind(rnd.IntN(2)), Site: uintptr(1 + rnd.IntN(3))}
			if rnd.IntN(4) != 0 {
				a.Addr = base + 4096 + uintptr(8*rnd.IntN(200))
			}
			with = append(with, Event{Op: Fork, Task: rnd.IntN(4), Other: c},
				Event{Op: Lock, Task: c, Addr: l, Shared: rnd.IntN(4) == 0}, a,
				Event{Op: Unlock, Task: c, Addr: l}, Event{Op: Unlock, Task: c, Addr: l, Shared: true})
			if rnd.IntN(3) == 0 { // others get to know some of them
				o := things + uintptr(8*rnd.IntN(4))
				with = append(with, Event{Op: Release, Task: c, Addr: o}, Event{Op: Acquire, Task: rnd.IntN(4), Addr: o})
			}
			with = append(with, Event{Op: End, Task: c})
			if rnd.IntN(3) != 0 {
				with = append(with, Event{Op: Sweep})
			}
		}
	}
	return Legal(with)
}

func FuzzEngineAgainstOracle(f *testing.F) {
	f.Add([]byte("\x00\x01\x02"), uint8(0))
	f.Fuzz(func(t *testing.T, b []byte, mode uint8) {
		if len(b) > 1000 {
			return
		}
		m := modes[int(mode)%len(modes)]
		m.o.Patience = uint32(mode) / 8
		trace := Generate(b)
		if err := Check(trace, m.o, nil); err != nil {
			fail(t, trace, m.o, err)
		}
	})
}

// Words are accessed under many alternating locks, so that their histories lose records
// while others outnumber them.
func TestManyLocks(t *testing.T) {
	n := compare(t, *sequences/10, 1, func(rnd *rand.Rand, i int) ([]Event, parallel.Options) {
		return manyLocks(rnd), modes[0].o
	})
	if n.Predicted == 0 {
		t.Errorf("nothing is predicted: %+v", n)
	}
}

// manyLocks returns a trace of tasks that access two words in critical sections of 3 to
// 64 locks, nested up to three deep and now and then much deeper, which end in any order, and
// sometimes synchronize with each other.
func manyLocks(rnd *rand.Rand) []Event {
	tasks := 2 + rnd.IntN(3)
	var trace []Event
	for i := 1; i < tasks; i++ {
		trace = append(trace, Event{Op: Fork, Task: 0, Other: i})
	}
	orders := 1 + rnd.IntN(8)
	many := []int{3, 4, 5, 6, 8, 64}[rnd.IntN(6)]
	for range 100 + rnd.IntN(300) {
		at := rnd.IntN(tasks)
		if rnd.IntN(8) < orders {
			trace = append(trace, Event{Op: ReleaseMerge, Task: at, Addr: things})
			at = rnd.IntN(tasks)
			trace = append(trace, Event{Op: Acquire, Task: at, Addr: things})
		}
		access := func(task int) {
			trace = append(trace, Event{Op: Access, Task: task, Addr: base + uintptr(8*rnd.IntN(2)), N: 8, Kind: parallel.Kind(rnd.IntN(4)), Site: 1})
		}
		var held []Event
		depth := rnd.IntN(4)
		if rnd.IntN(16) == 0 {
			depth = rnd.IntN(64)
		}
		for range depth {
			l := Event{Op: Lock, Task: at, Addr: locks + uintptr(8*rnd.IntN(many)), Shared: rnd.IntN(4) == 0}
			held = append(held, l)
			trace = append(trace, l)
		}
		access(at)
		switch rnd.IntN(4) {
		case 0:
			rnd.Shuffle(len(held), func(i, j int) { held[i], held[j] = held[j], held[i] })
		case 1:
		default:
			slices.Reverse(held)
		}
		for _, l := range held {
			l.Op = Unlock
			trace = append(trace, l)
			if rnd.IntN(8) == 0 {
				access(at)
			}
			if other := rnd.IntN(tasks); rnd.IntN(8) == 0 {
				if rnd.IntN(8) < orders {
					trace = append(trace, Event{Op: ReleaseMerge, Task: at, Addr: things}, Event{Op: Acquire, Task: other, Addr: things})
				}
				access(other)
			}
		}
	}
	return Legal(trace)
}

// Tasks read the same bytes in one step after the other, so that the engine changes lists of reads in
// place, and copies such lists where an access covers a part of the bytes.
func TestRereads(t *testing.T) {
	n := compare(t, *sequences, 3, func(rnd *rand.Rand, i int) ([]Event, parallel.Options) {
		return rereads(rnd), modes[min(i%6, 2)].o
	})
	if n.Races == 0 || n.Predicted == 0 {
		t.Errorf("the sequences do not exercise everything: %+v", n)
	}
}

// rereads returns a trace of tasks that read words and their parts, in runs or in cells, and seldom do
// anything else.
func rereads(rnd *rand.Rand) []Event {
	const block = base + 32
	tasks := 2 + rnd.IntN(3)
	var trace []Event
	for i := 1; i < tasks; i++ {
		trace = append(trace, Event{Op: Fork, Other: i})
	}
	if rnd.IntN(3) != 0 { // divide the block into cells
		for i := range uintptr(40) {
			trace = append(trace, Event{Op: Access, Addr: block + 1024 + i*24, N: 8, Kind: parallel.Write, Site: 1})
		}
	}
	size := [...]uintptr{8, 8, 4, 2}[rnd.IntN(4)] // most accesses have it
	parts := rnd.IntN(3)
	access := func(task int, k parallel.Kind) {
		n := size
		if rnd.IntN(16) < parts {
			n = max(size/2, 1)
		}
		trace = append(trace, Event{Op: Access, Task: task, Addr: block + uintptr(rnd.IntN(8))%(2*size)&^(n-1), N: n, Kind: k, Site: uintptr(1 + rnd.IntN(5))})
	}
	release := func(task int) {
		trace = append(trace, Event{Op: Release, Task: task, Addr: locks + 128 + uintptr(task)*8})
	}
	acquire := func(task int) {
		trace = append(trace, Event{Op: Acquire, Task: task, Addr: locks + 128 + uintptr(rnd.IntN(tasks))*8})
	}
	for range 1 + rnd.IntN(4) {
		for range 10 + rnd.IntN(90) {
			switch task := rnd.IntN(tasks); rnd.IntN(16) {
			case 0, 1, 2, 3:
				release(task)
			case 4:
				acquire(task)
			case 5:
				trace = append(trace, Event{Op: Lock, Task: task, Addr: locks, Quiet: rnd.IntN(8) == 0})
			case 6, 7:
				trace = append(trace, Event{Op: Unlock, Task: task, Addr: locks})
			case 8:
				access(task, parallel.Read+2*parallel.Kind(rnd.IntN(2)))
			default:
				access(task, parallel.Read)
			}
		}
		// Writes that are ordered after some of the reads.
		task := rnd.IntN(tasks)
		for range rnd.IntN(4) {
			acquire(task)
		}
		for range rnd.IntN(3) {
			access(task, parallel.Write)
		}
		if rnd.IntN(8) == 0 {
			trace = append(trace, Event{Op: Sweep, Task: task})
		}
		trace = append(trace, Event{Op: Alloc, Task: task, Addr: block, N: 2 * size})
	}
	return Legal(trace)
}

// Tasks read and set flags in critical sections, and access words there and outside.
func TestFlags(t *testing.T) {
	n := compare(t, *sequences, 4, func(rnd *rand.Rand, i int) ([]Event, parallel.Options) {
		o := modes[0].o
		if i%8 == 7 {
			o = modes[1].o
		}
		o.Patience = uint32(i % 5)
		return flags(rnd), o
	})
	if n.Predicted == 0 || n.Skipped == 0 {
		t.Errorf("the sequences do not exercise everything: %+v", n)
	}
}

// flags returns a trace of tasks whose critical sections, mostly, atomic operations on a few flags alone may order.
func flags(rnd *rand.Rand) []Event {
	const block = base + 32
	tasks := 2 + rnd.IntN(4)
	var trace []Event
	for i := 1; i < tasks; i++ {
		trace = append(trace, Event{Op: Fork, Other: i})
	}
	if rnd.IntN(2) == 0 { // divide the block into cells
		for i := range uintptr(40) {
			trace = append(trace, Event{Op: Access, Addr: block + 1024 + i*24, N: 8, Kind: parallel.Write, Site: 1})
		}
	}
	words := 1 + rnd.IntN(6)
	mutexes, number := 1+rnd.IntN(2), 1+rnd.IntN(3)
	initial := rnd.IntN(3) == 0 // the flags have plain accesses too
	word := func(task int) {
		trace = append(trace, Event{Op: Access, Task: task, Addr: block + uintptr(rnd.IntN(words))*8, N: 8,
			Kind: parallel.Kind(rnd.IntN(2)), Site: uintptr(1 + rnd.IntN(5))})
	}
	flag := func(task int) {
		v := Event{Op: Access, Task: task, Addr: block + 512, N: 4, Kind: parallel.AtomicWrite, Quiet: true, Site: uintptr(1 + rnd.IntN(5))}
		if rnd.IntN(4) != 0 { // no operation of a lock there
			v.Addr += 4 + uintptr(rnd.IntN(number))*4
			v.Kind, v.Quiet = [...]parallel.Kind{parallel.AtomicRead, parallel.AtomicRead, parallel.AtomicWrite}[rnd.IntN(3)], false
		}
		if initial && rnd.IntN(16) == 0 {
			v.Kind, v.Quiet = v.Kind&parallel.Write, false
		}
		trace = append(trace, v)
	}
	for range 4 + rnd.IntN(40) {
		task := rnd.IntN(tasks)
		switch rnd.IntN(12) {
		case 0:
			word(task)
		case 1:
			flag(task)
		case 2:
			o := locks + 128 + uintptr(rnd.IntN(2))*8
			trace = append(trace, Event{Op: [...]Op{Acquire, Release, ReleaseMerge}[rnd.IntN(3)], Task: task, Addr: o})
		case 3:
			switch rnd.IntN(4) {
			case 0:
				trace = append(trace, Event{Op: Sweep})
			case 1:
				trace = append(trace, Event{Op: Invalidate})
			case 2:
				trace = append(trace, Event{Op: Fork, Task: task, Other: tasks})
				tasks++
			}
		default:
			l := Event{Op: Lock, Task: task, Addr: locks + uintptr(rnd.IntN(mutexes))*8, Shared: rnd.IntN(4) == 0, Quiet: rnd.IntN(12) == 0}
			if rnd.IntN(2) == 0 {
				word(task)
			}
			trace = append(trace, l)
			if rnd.IntN(6) == 0 {
				trace = append(trace, Event{Op: Fork, Task: task, Other: tasks})
				flag(tasks)
				tasks++
			}
			for range 1 + rnd.IntN(2) {
				flag(task)
			}
			if rnd.IntN(4) == 0 {
				word(task)
			}
			l.Op, l.Quiet = Unlock, false
			trace = append(trace, l)
			if rnd.IntN(2) == 0 {
				word(task)
			}
		}
	}
	return Legal(trace)
}

// Tasks send and receive messages in critical sections, and access words there and outside.
func TestMessages(t *testing.T) {
	n := compare(t, *sequences, 4, func(rnd *rand.Rand, i int) ([]Event, parallel.Options) {
		o := modes[0].o
		o.Patience = uint32(i % 5)
		return messages(rnd), o
	})
	if n.Predicted == 0 || n.Skipped == 0 {
		t.Errorf("the sequences do not exercise everything: %+v", n)
	}
}

// messages returns a trace of tasks of which some learn that a critical section has begun, and only by taking its lock that it
// has ended.
func messages(rnd *rand.Rand) []Event {
	tasks := 2 + rnd.IntN(4)
	var trace []Event
	add := func(v Event) { trace = append(trace, v) }
	for i := 1; i < tasks; i++ {
		add(Event{Op: Fork, Other: i})
	}
	words, mutexes := 1+rnd.IntN(4), 1+rnd.IntN(2)
	shares, tells := rnd.IntN(3), 1+rnd.IntN(4)
	word := func(task int) {
		add(Event{Op: Access, Task: task, Addr: base + uintptr(rnd.IntN(words))*8, N: 8, Kind: parallel.Kind(rnd.IntN(2)), Site: uintptr(1 + rnd.IntN(5))})
	}
	// Each task sends through an object of its own.
	send := func(task int) {
		add(Event{Op: [...]Op{Release, ReleaseMerge}[rnd.IntN(2)], Task: task, Addr: things + uintptr(task)*8})
	}
	receive := func(task int) {
		add(Event{Op: Acquire, Task: task, Addr: things + uintptr(rnd.IntN(tasks))*8})
	}
	some := func(task int) {
		for rnd.IntN(3) == 0 {
			[...]func(int){word, word, receive, send}[rnd.IntN(4)](task)
		}
	}
	for range 4 + rnd.IntN(24) {
		task := rnd.IntN(tasks)
		l := Event{Op: Lock, Task: task, Addr: locks + uintptr(rnd.IntN(mutexes))*8, Shared: rnd.IntN(4) < shares, Quiet: rnd.IntN(12) == 0}
		some(task)
		add(l)
		some(task)
		if rnd.IntN(4) < tells {
			send(task)
		}
		if rnd.IntN(3) == 0 {
			word(task)
		}
		l.Op, l.Quiet = Unlock, false
		if l.Shared && rnd.IntN(2) == 0 { // another reader meanwhile
			o := l
			o.Task = rnd.IntN(tasks)
			o.Op = Lock
			add(o)
			some(o.Task)
			o.Op = Unlock
			if rnd.IntN(2) == 0 {
				l, o = o, l
			}
			add(o)
			some(o.Task)
		}
		if rnd.IntN(16) == 0 {
			l.Task = rnd.IntN(tasks)
		}
		add(l)
		some(task)
		if rnd.IntN(3) == 0 {
			receive(rnd.IntN(tasks))
		}
		switch rnd.IntN(16) {
		case 0:
			add(Event{Op: Sweep})
		case 1:
			add(Event{Op: End, Task: task})
			add(Event{Op: Fork, Task: rnd.IntN(tasks), Other: tasks})
			tasks++
		}
	}
	return Legal(trace)
}

// Locks change hands: a task takes a lock, and a child or the receiver of a message accesses words
// and gives the lock up, or another task does.
func TestHandedLocks(t *testing.T) {
	n := compare(t, *sequences, 2, func(rnd *rand.Rand, i int) ([]Event, parallel.Options) {
		o := modes[0].o
		if i%4 == 3 {
			o = modes[1].o
		}
		o.Patience = uint32(i % 5)
		return handedLocks(rnd), o
	})
	if n.Predicted == 0 || n.Late == 0 || n.Inside == 0 {
		t.Errorf("the sequences do not exercise everything: %+v", n)
	}
}

// handedLocks returns a trace of tasks that take a lock, access words, let other tasks access words
// meanwhile, and give up the lock in one of several ways, each more or less likely to protect the
// other tasks.
func handedLocks(rnd *rand.Rand) []Event {
	trace := []Event{{Op: Fork, Task: 0, Other: 1}, {Op: Fork, Task: 0, Other: 2}}
	alive := []int{0, 1, 2}
	forks := 2
	add := func(v Event) { trace = append(trace, v) }
	any := func() int { return alive[rnd.IntN(len(alive))] }
	words := 1 + rnd.IntN(3)
	access := func(task int) {
		for range rnd.IntN(3) {
			kind := parallel.Kind(rnd.IntN(2))
			if rnd.IntN(12) == 0 {
				kind += 2
			}
			add(Event{Op: Access, Task: task, Addr: base + uintptr(8*rnd.IntN(words)), N: 8, Kind: kind, Site: uintptr(1 + rnd.IntN(3))})
		}
	}
	send := func(from, to int) {
		o := things + uintptr(8*rnd.IntN(4))
		add(Event{Op: Release, Task: from, Addr: o})
		add(Event{Op: Acquire, Task: to, Addr: o})
	}
	fork := func(parent int) int {
		if len(alive) >= 7 {
			c := any()
			send(parent, c)
			return c
		}
		forks++
		add(Event{Op: Fork, Task: parent, Other: forks})
		alive = append(alive, forks)
		return forks
	}
	shares := rnd.IntN(4)
	nLocks := 1 + rnd.IntN(2)
	for range 4 + rnd.IntN(16) {
		p := any()
		l := Event{Op: Lock, Task: p, Addr: locks + uintptr(8*rnd.IntN(nLocks)), Shared: rnd.IntN(4) < shares}
		free := l
		free.Op = Unlock
		if rnd.IntN(12) == 0 {
			access(p)
		}
		add(l)
		access(p)
		if rnd.IntN(3) == 0 {
			free.Task = p
			add(free)
			continue
		}
		if rnd.IntN(8) == 0 {
			add(l) // nested, if shared
		}
		c := fork(p)
		switch rnd.IntN(4) {
		case 0:
			c = fork(c)
		case 1:
			send(p, any())
		}
		if rnd.IntN(3) == 0 {
			access(p)
		}
		access(c)
		switch rnd.IntN(6) {
		case 0: // the parent waits
			send(c, p)
			free.Task = p
		case 1: // it does not
			free.Task = p
		case 2:
			free.Task = any()
		default:
			free.Task = c
		}
		add(free)
		if rnd.IntN(8) == 0 {
			access(c)
		}
		if rnd.IntN(6) == 0 {
			add(Event{Op: Sweep})
		}
		if c != 0 && rnd.IntN(3) == 0 {
			add(Event{Op: End, Task: c})
			alive = slices.DeleteFunc(alive, func(x int) bool { return x == c })
		}
	}
	return Legal(trace)
}

// Another task may end a section in which its task has forked, before an access of that task. Then no conflict orders
// the access after an earlier section of the lock, nor after the events before the earlier section.
func TestEdgesInDoubt(t *testing.T) {
	for _, text := range []string{
		`0 fork 1; 0 lock l; 0 read x+8:32 @2; 0 unlock l; 0 read x+38:1 @2; 0 quiet-lock l; 0 atomic-write x+80:4 @1; 0 unlock l
		1 lock l; 1 fork 2; 1 write x+16:72 @2
		0 unlock l`,
		`0 fork 1; 0 read x+38:1 @2; 0 lock l; 0 write x+80:4 @1; 0 unlock l
		1 lock l; 1 fork 2; 1 write x+16:72 @2
		0 unlock l`,
		`0 fork 1; 0 read x+38:1 @2; 0 lock l; 0 write x+80:4 @1; 0 unlock l
		1 lock l; 1 fork 2; 1 write x+16:72 @2; 1 unlock l`,
		`0 fork 1; 0 read x+38:1 @2; 0 lock l; 0 lock l+8; 0 write x+80:4 @1; 0 unlock l+8; 0 unlock l
		1 lock l; 1 fork 2; 1 lock l+8; 1 write x+16:72 @2
		0 unlock l`,
		`0 fork 1; 0 read x+84:1 @2; 0 lock l; 0 write x+80:4 @1; 0 unlock l
		1 lock l; 1 fork 2; 1 write x+80:8 @2
		0 unlock l`,
		`0 fork 1; 0 fork 2
		2 fork 3
		3 lock l; 3 write x @2; 3 release o+16
		0 acquire o+16
		2 read x @3; 2 release o
		3 acquire o; 3 unlock l
		0 rlock l; 0 fork 4; 0 write x @1
		1 runlock l`,
	} {
		trace, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range modes {
			if err := Check(trace, m.o, nil); err != nil {
				t.Errorf("%s, %s\n%v", m.name, Format(trace), err)
			}
		}
	}
}
