package dfs

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var models = flag.Int("dfs.models", 3000, "random model programs")

// An op is one operation of a model's task.
type op struct {
	kind   byte   // l: lock, r: lock shared, u: unlock, w: write, R: read, f: fork, j: join
	name   string // of the lock or variable
	target int    // the task that is forked or joined
}

// A model is a program: tasks of operations. Task 0 is main; others run when forked.
type model [][]op

type state struct {
	m       model
	pc      []int
	alive   []bool
	over    []bool
	writers map[string]int // 1 + the holder of each lock
	readers map[string]int
	vars    map[string]int
	regs    []int
}

func newState(m model) *state {
	n := len(m)
	s := &state{m: m, pc: make([]int, n), alive: make([]bool, n), over: make([]bool, n), writers: map[string]int{}, readers: map[string]int{}, vars: map[string]int{}, regs: make([]int, n)}
	s.alive[0] = true
	return s
}

func (s *state) copy() *state {
	c := *s
	c.pc, c.alive, c.over, c.regs = slices.Clone(s.pc), slices.Clone(s.alive), slices.Clone(s.over), slices.Clone(s.regs)
	c.writers, c.readers, c.vars = maps.Clone(s.writers), maps.Clone(s.readers), maps.Clone(s.vars)
	return &c
}

func (s *state) blocked(o op) bool {
	switch o.kind {
	case 'l':
		return s.writers[o.name] != 0 || s.readers[o.name] != 0
	case 'r':
		return s.writers[o.name] != 0
	case 'j':
		return !s.over[o.target]
	}
	return false
}

// access returns an access of a variable.
func access(name string, write bool) Access {
	a := uint64(0)
	for _, c := range []byte(name) {
		a = a<<8 | uint64(c)
	}
	return Access{8 * a, 8*a + 8, write}
}

// local runs task t up to its next lock operation, or to a join that must wait.
func (s *state) local(t int, accesses *[]Access) {
	for s.alive[t] && !s.over[t] {
		if s.pc[t] == len(s.m[t]) {
			s.over[t] = true
			return
		}
		o := s.m[t][s.pc[t]]
		if o.kind == 'l' || o.kind == 'r' || s.blocked(o) {
			return
		}
		s.pc[t]++
		switch o.kind {
		case 'u':
			if s.writers[o.name] == t+1 {
				s.writers[o.name] = 0
			} else {
				s.readers[o.name]--
			}
		case 'w':
			s.vars[o.name] = (s.vars[o.name]*31 + s.regs[t] + t*7 + s.pc[t]) % 1000003
			*accesses = append(*accesses, access(o.name, true))
		case 'R':
			s.regs[t] = (s.regs[t]*17 + s.vars[o.name]) % 1000003
			*accesses = append(*accesses, access(o.name, false))
		case 'f':
			s.alive[o.target] = true
		}
	}
}

// settle runs all operations outside of sections.
func (s *state) settle() (moved []int) {
	for again := true; again; {
		again = false
		for t := range s.m {
			was := s.pc[t]
			wasOver := s.over[t]
			s.local(t, &[]Access{})
			if s.pc[t] != was || s.over[t] != wasOver {
				again = true
				moved = append(moved, t)
			}
		}
	}
	return moved
}

func name(t int) string { return fmt.Sprint("t", t) }

func (s *state) candidates() (cs []Candidate) {
	for t := range s.m {
		if !s.alive[t] || s.over[t] {
			continue
		}
		if o := s.m[t][s.pc[t]]; o.kind != 'j' {
			cs = append(cs, Candidate{name(t), Section{Lock: o.name, Shared: o.kind == 'r'}, s.blocked(o)})
		}
	}
	return cs
}

// enter lets task t take the lock that it is about to take, and run on. It reports
// whether the section has ended.
func (s *state) enter(t int) (accesses []Access, over bool) {
	o := s.m[t][s.pc[t]]
	s.pc[t]++
	if o.kind == 'l' {
		s.writers[o.name] = t + 1
	} else {
		s.readers[o.name]++
	}
	s.local(t, &accesses)
	depth := 0 // the number of open sections of that lock
	for _, x := range s.m[t][:s.pc[t]] {
		if x.name == o.name && (x.kind == 'l' || x.kind == 'r') {
			depth++
		} else if x.name == o.name && x.kind == 'u' {
			depth--
		}
	}
	return accesses, depth == 0
}

// outcome renders the final state of a run.
func (s *state) outcome() string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(s.vars)) {
		fmt.Fprint(&b, k, "=", s.vars[k], " ")
	}
	fmt.Fprint(&b, s.regs, s.over)
	return b.String()
}

// run is the host of a model. After the prefix it prefers the last candidate. If known
// is false, the accesses of sections remain unknown.
func (m model) run(prefix []string, known bool) (choices []Choice, outcome string, err error) {
	s := newState(m)
	moved := uint64(rand.Uint32()) << 32 // memory has other addresses in each run
	for {
		for _, t := range s.settle() {
			choices = append(choices, Choice{Task: name(t)})
		}
		if k := len(choices); k < len(prefix) {
			for i := range choices {
				if choices[i].Task != prefix[i] {
					return nil, "", errors.New("the beginning cannot be followed")
				}
			}
		}
		cs := s.candidates()
		t := -1
		for _, c := range cs {
			if !c.Blocked {
				fmt.Sscanf(c.Task, "t%d", &t)
			}
		}
		if t < 0 {
			if len(cs) > 0 {
				choices = append(choices, Choice{Candidates: cs})
			}
			return choices, s.outcome(), nil
		}
		if k := len(choices); k < len(prefix) {
			fmt.Sscanf(prefix[k], "t%d", &t)
		}
		c := Choice{Task: name(t), Candidates: cs}
		c.Accesses, c.Known = s.enter(t)
		for i := range c.Accesses {
			c.Accesses[i].Lo += moved
			c.Accesses[i].Hi += moved
		}
		if c.Known = c.Known && known; !c.Known {
			c.Accesses = nil
		}
		choices = append(choices, c)
	}
}

// all runs m in every order of sections. It returns the outcomes, the classes of runs
// with the same order of conflicting sections, and the number of runs.
func (m model) all(known bool) (outcomes map[string]bool, classes map[string]bool, runs int) {
	outcomes, classes = map[string]bool{}, map[string]bool{}
	var walk func(s *state, steps []step)
	walk = func(s *state, steps []step) {
		s.settle()
		any := false
		for _, c := range s.candidates() {
			if c.Blocked {
				continue
			}
			any = true
			var t int
			fmt.Sscanf(c.Task, "t%d", &t)
			next := s.copy()
			x := step{task: c.Task, Section: c.Section}
			accesses, over := next.enter(t)
			x.bytes, x.known = footprintOf(accesses), over
			x.known = x.known && known
			walk(next, append(slices.Clip(steps), x))
		}
		if !any {
			runs++
			outcomes[s.outcome()] = true
			classes[class(steps)] = true
		}
	}
	walk(newState(m), nil)
	return outcomes, classes, runs
}

// class names the order of conflicting sections in a run.
func class(steps []step) string {
	count := map[string]int{}
	id := make([]string, len(steps))
	var pairs []string
	for i, s := range steps {
		count[s.task]++
		id[i] = fmt.Sprint(s.task, ".", count[s.task])
		pairs = append(pairs, id[i])
		for j, r := range steps[:i] {
			if r.task != s.task && r.conflicts(s) {
				pairs = append(pairs, id[j]+"<"+id[i])
			}
		}
	}
	slices.Sort(pairs)
	return strings.Join(pairs, " ")
}

func section(lock string, vars ...string) []op {
	ops := []op{{kind: 'l', name: lock}}
	for _, v := range vars {
		ops = append(ops, op{kind: 'R', name: v}, op{kind: 'w', name: v})
	}
	return append(ops, op{kind: 'u', name: lock})
}

func (m model) check(t *testing.T, known bool) (e *Explorer, classes map[string]bool, runs int) {
	t.Helper()
	outcomes, classes, runs := m.all(known)
	seen := map[string]bool{}
	covered := map[string]bool{}
	e, err := Explore(func(prefix []string) ([]Choice, error) {
		choices, outcome, err := m.run(prefix, known)
		seen[outcome] = true
		var steps []step
		for _, c := range choices {
			if c.Candidates != nil && c.Task != "" {
				steps = append(steps, stepOf(c))
			}
		}
		covered[class(steps)] = true
		return choices, err
	})
	if err != nil {
		t.Fatalf("%v: %v", m, err)
	}
	if !maps.Equal(seen, outcomes) {
		t.Fatalf("%v: saw %d of %d outcomes", m, len(seen), len(outcomes))
	}
	if !maps.Equal(covered, classes) || e.Orders != len(classes) {
		t.Fatalf("%v: %d orders in %d runs, %d of %d classes covered", m, e.Orders, e.Runs, len(covered), len(classes))
	}
	return e, classes, runs
}

func fork(tasks ...[]op) model {
	var main []op
	for i := range tasks {
		main = append(main, op{kind: 'f', target: i + 1})
	}
	for i := range tasks {
		main = append(main, op{kind: 'j', target: i + 1})
	}
	return append(model{main}, tasks...)
}

func TestExplore(t *testing.T) {
	for _, c := range []struct {
		name   string
		m      model
		known  bool
		orders int
	}{
		{"one lock", fork(section("a", "x"), section("a", "x"), section("a", "x")), true, 6},
		{"different locks", fork(section("a", "x"), section("b", "y"), section("c", "z")), true, 1},
		{"nothing in common", fork(section("a", "x"), section("a", "y")), true, 1},
		{"nothing known", fork(section("a", "x"), section("a", "y")), false, 2},
		{"readers", fork([]op{{kind: 'r', name: "a"}, {kind: 'u', name: "a"}}, []op{{kind: 'r', name: "a"}, {kind: 'u', name: "a"}}, section("a", "x")), false, 4},
		{"two each", fork(append(section("a", "x"), section("b", "y")...), append(section("b", "y"), section("a", "x")...)), true, 3},
		{"deadlock", fork(
			[]op{{kind: 'l', name: "a"}, {kind: 'l', name: "b"}, {kind: 'u', name: "b"}, {kind: 'u', name: "a"}},
			[]op{{kind: 'l', name: "b"}, {kind: 'l', name: "a"}, {kind: 'u', name: "a"}, {kind: 'u', name: "b"}}), false, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			if e, _, _ := c.m.check(t, c.known); e.Orders != c.orders {
				t.Errorf("%d orders, want %d", e.Orders, c.orders)
			}
		})
	}
}

// The explorer agrees with all interleavings of random programs of forks, joins and
// sections.
func TestRandomModels(t *testing.T) {
	total, orders, all := 0, 0, 0
	for i := range *models {
		r := rand.New(rand.NewPCG(uint64(i), 5))
		var tasks [][]op
		for range 2 + r.IntN(2) {
			var ops []op
			for range 1 + r.IntN(2) {
				lock := string("ab"[r.IntN(2)])
				s := section(lock, lock+string("xyz"[r.IntN(3)]))
				if r.IntN(4) == 0 { // a lock inside another
					inner := section("c", "c"+string("xyz"[r.IntN(3)]))
					if r.IntN(2) == 0 {
						inner = section(string("ab"[r.IntN(2)]))
					}
					if inner[0].name != lock {
						s = slices.Insert(s, 1, inner...)
					}
				}
				if len(s) == 4 && r.IntN(4) == 0 {
					s[0].kind = 'r'
					s = slices.DeleteFunc(s, func(o op) bool { return o.kind == 'w' })
				}
				ops = append(ops, s...)
			}
			tasks = append(tasks, ops)
		}
		m := fork(tasks...)
		if r.IntN(3) == 0 { // another task forks the last task
			last := len(tasks)
			m[0] = slices.DeleteFunc(m[0], func(o op) bool { return o.target == last && o.kind == 'f' })
			at := r.IntN(len(m[1]) + 1)
			m[1] = slices.Insert(slices.Clone(m[1]), at, op{kind: 'f', target: last})
		}
		e, _, runs := m.check(t, r.IntN(2) == 0)
		total += e.Runs
		orders += e.Orders
		all += runs
	}
	t.Logf("%d programs: %d orders, found in %d runs of %d", *models, orders, total, all)
}

func TestUnsteadyProgram(t *testing.T) {
	n := 0
	m := fork(section("a", "x"), section("a", "x"))
	_, err := Explore(func(prefix []string) ([]Choice, error) {
		choices, _, err := m.run(prefix, true)
		if n++; n == 2 {
			for i := range choices {
				for j := range choices[i].Candidates {
					choices[i].Candidates[j].Section.Lock += "'"
				}
			}
		}
		return choices, err
	})
	if err == nil || !strings.Contains(err.Error(), "other candidates") {
		t.Errorf("a program that changes is explored: %v", err)
	}
}
