package predictions

import (
	"fmt"
	"strings"

	"taskinstr/cmd/tilab/internal/programs/random"
)

const header = `package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

// A state holds the variables that the tasks of a case share.
type state struct {
	a, b   sync.Mutex
	rw     sync.RWMutex
	flag   [2]atomic.Bool
	number atomic.Int32
	word   uint32 // atomic
	ch     chan int
	done   chan bool
	meet   chan int      // unbuffered
	sem    chan struct{} // a lock
	cond   *sync.Cond    // of a
	next   atomic.Pointer[state]
	once   sync.Once
	table  sync.Map
	under  [2]int // guarded by a and b
	shared int    // guarded by rw
	group  sync.WaitGroup
	tasks  sync.WaitGroup
	x      [%d]int // plain
}

func (s *state) do(tasks ...func()) {
	for _, f := range tasks {
		s.tasks.Go(f)
	}
	s.tasks.Wait()
}

func main() {
	for _, c := range cases {
		if c.name == os.Args[1] {
			s := &state{ch: make(chan int, 1), done: make(chan bool), meet: make(chan int), sem: make(chan struct{}, 1)}
			s.cond = sync.NewCond(&s.a)
			c.run(s)
			fmt.Println("done")
		}
	}
}

`

// variables is the number of plain variables of a case.
const variables = 3

// New returns the text of a program with n cases, which its argument names: "case0" and so on.
func New(seed uint64, n int) ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, header, variables)
	b.WriteString("var cases = []struct {\n\tname string\n\trun func(*state)\n}{\n")
	for i := range n {
		fmt.Fprintf(&b, "{%q, case%d},\n", fmt.Sprintf("case%d", i), i)
	}
	b.WriteString("}\n")
	for i := range n {
		c := generator{Source: random.New(seed, i)}
		fmt.Fprintf(&b, "\nfunc case%d(s *state) {\n%s}\n", i, c.program())
	}
	return random.Format(b.String())
}

// A generator writes one case.
type generator struct {
	random.Source
	slots    [][]int // the plain accesses that each task is still to make: 2*variable + 1 for writes
	closes   int     // the task that may close done; -1: none
	finishes int     // the task that ends the group; -1: none
	sends    int     // the task that may send to another one over meet; -1: none
	receives int     // the task that may receive there; -1: none
	children int     // the number of tasks that tasks may still start
}

// A context describes the place of a statement.
type context struct {
	task, depth    int
	a, b, rw, read bool // locks that are held; read: rw for reading
	rank           int  // of the last lock that was waited for: locks are taken by ascending ranks
	sure           bool // each run of the task gets there
}

// The ranks of locks.
const (
	rankA = 1 + iota
	rankB
	rankRW
	rankSem
	rankOnce
)

func (g *generator) program() string {
	tasks := g.Between(2, 3)
	g.slots = make([][]int, tasks)
	for v := range variables {
		first := g.Between(0, tasks-1)
		second := (first + g.Between(1, tasks-1)) % tasks
		g.slots[first] = append(g.slots[first], 2*v+1)
		g.slots[second] = append(g.slots[second], 2*v+g.Between(0, 1))
	}
	g.closes, g.finishes = g.Between(-1, tasks-1), g.Between(-1, tasks-1)
	g.sends, g.receives = -1, -1
	if g.Chance(40) {
		g.sends = g.Between(0, tasks-1)
		g.receives = (g.sends + g.Between(1, tasks-1)) % tasks
	}
	g.children = g.Between(0, 3) / 3
	var b strings.Builder
	if g.finishes >= 0 {
		b.WriteString("s.group.Add(1)\n")
	}
	b.WriteString("s.do(")
	for i := range tasks {
		b.WriteString("func() {\n")
		if g.Chance(30) {
			b.WriteString(g.access(i))
		}
		for range g.Between(2, 4) {
			b.WriteString(g.statement(context{task: i, sure: true}))
		}
		for len(g.slots[i]) > 0 {
			b.WriteString(g.access(i))
		}
		if g.closes == i {
			b.WriteString("close(s.done)\n")
			g.closes = -1
		}
		if g.finishes == i {
			b.WriteString("s.group.Done()\n")
			g.finishes = -1
		}
		b.WriteString(g.meeting(i))
		b.WriteString("}, ")
	}
	b.WriteString(")\n")
	return b.String()
}

// access returns one of the plain accesses that a task is to make, or nothing.
func (g *generator) access(task int) string {
	list := g.slots[task]
	if len(list) == 0 {
		return ""
	}
	i := g.Between(0, len(list)-1)
	v := list[i]
	g.slots[task] = append(list[:i:i], list[i+1:]...)
	if v%2 == 1 {
		return fmt.Sprintf("s.x[%d] = 1\n", v/2)
	}
	return fmt.Sprintf("_ = s.x[%d] + 1\n", v/2)
}

// meeting returns the operation on meet that a task is still to make, or nothing.
func (g *generator) meeting(task int) string {
	switch task {
	case g.sends:
		g.sends = -1
		return "s.meet <- 1\n"
	case g.receives:
		g.receives = -1
		return "<-s.meet\n"
	}
	return ""
}

// when returns one or two statements, which do not always run.
func (g *generator) when(c context) string {
	c.sure = false
	return g.body(c)
}

// body returns one or two statements.
func (g *generator) body(c context) string {
	c.depth++
	text := g.statement(c)
	if g.Chance(40) {
		text += g.statement(c)
	}
	return text
}

func (g *generator) statement(c context) string {
	if c.depth > 2 || c.depth > 0 && g.Chance(40) {
		return g.access(c.task)
	}
	f := g.Between(0, 1)
	if g.Chance(40) {
		return g.locked(c)
	}
	switch k := g.Between(0, 17); {
	case k <= 1:
		return fmt.Sprintf("if !s.flag[%d].Load() {\n%s}\n", f, g.when(c))
	case k <= 3:
		return fmt.Sprintf("s.flag[%d].Store(true)\n", f)
	case k == 4:
		return "if atomic.CompareAndSwapUint32(&s.word, 0, 1) {\n" + g.when(c) + "}\n"
	case k == 5:
		return fmt.Sprintf("if s.number.Add(1) == %d {\n%s}\n", g.Between(1, 2), g.when(c))
	case k == 6:
		return "select {\ncase s.ch <- 1:\n" + g.when(c) + "default:\n" + g.access(c.task) + "}\n"
	case k == 7:
		return "select {\ncase <-s.ch:\n" + g.when(c) + "default:\n" + g.access(c.task) + "}\n"
	case k == 8:
		return "select {\ncase <-s.done:\n" + g.when(c) + "default:\n" + g.access(c.task) + "}\n"
	case k == 9:
		return fmt.Sprintf("if _, ok := s.table.Load(%d); !ok {\n%s}\n", f, g.when(c))
	case k == 10:
		return fmt.Sprintf("s.table.Store(%d, true)\n", f)
	case k == 11:
		return fmt.Sprintf("if s.flag[%d].Load() {\n%s}\n", f, g.when(c))
	case k == 12:
		return "if s.next.Load() == nil {\n" + g.when(c) + "}\n"
	case k == 13:
		return "s.next.Store(s)\n"
	case k == 14 && g.children > 0:
		g.children--
		return "s.tasks.Go(func() {\n" + g.body(context{task: c.task}) + "})\n"
	case k == 15 && c.sure:
		return g.meeting(c.task)
	case k == 16 && c.a && c.rank == rankA:
		return "for s.under[0] == 0 {\ns.cond.Wait()\n}\n"
	case k == 17 && c.a:
		return "s.under[0]++\ns.cond.Broadcast()\n"
	}
	return g.guarded(c, f)
}

// locked returns statements under a lock, if the task may wait for one.
func (g *generator) locked(c context) string {
	switch k := g.Between(0, 11); {
	case k <= 4 && c.rank < rankA:
		c.a, c.rank = true, rankA
		return "s.a.Lock()\n" + g.body(c) + "s.a.Unlock()\n"
	case k == 5 && c.rank < rankB:
		c.b, c.rank = true, rankB
		return "s.b.Lock()\n" + g.body(c) + "s.b.Unlock()\n"
	case k == 6 && c.rank < rankRW:
		c.read, c.rank = true, rankRW
		return "s.rw.RLock()\n" + g.body(c) + "s.rw.RUnlock()\n"
	case k == 7 && c.rank < rankRW:
		c.rw, c.rank = true, rankRW
		return "s.rw.Lock()\n" + g.body(c) + "s.rw.Unlock()\n"
	case k == 8 && c.rank < rankA:
		c.a, c.rank = true, rankA
		return "if s.a.TryLock() {\n" + g.when(c) + "s.a.Unlock()\n}\n"
	case k == 9 && c.rank < rankOnce:
		return "s.once.Do(func() {\n" + g.access(c.task) + "})\n"
	case k >= 10 && c.rank < rankSem:
		c.rank = rankSem
		return "s.sem <- struct{}{}\n" + g.body(c) + "<-s.sem\n"
	}
	return g.access(c.task)
}

// guarded returns a statement that depends on a number or changes it, if the task holds its lock.
func (g *generator) guarded(c context, f int) string {
	test := fmt.Sprintf("if s.under[%d] == 0 {\n", f)
	change := fmt.Sprintf("s.under[%d]++\n", f)
	held := f == 0 && c.a || f == 1 && c.b
	writes := held
	if g.Chance(30) {
		test, change = "if s.shared == 0 {\n", "s.shared++\n"
		held, writes = c.rw || c.read, c.rw
	}
	switch {
	case writes && g.Chance(50):
		return change
	case held:
		return test + g.when(c) + "}\n"
	case g.closes == c.task && c.sure:
		g.closes = -1
		return "close(s.done)\n"
	case g.finishes == c.task && c.sure:
		g.finishes = -1
		return "s.group.Done()\n"
	case c.sure && g.finishes >= 0 && g.finishes != c.task:
		return "s.group.Wait()\n"
	}
	return g.access(c.task)
}
