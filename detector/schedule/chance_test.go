package schedule

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// The strategies that draw by chance, on model programs, over many seeds.

// seeds is the number of runs of a test.
const seeds = 10_000

func depthFirst(ts *Tasks, _ uint64) Strategy { s := &Serial{}; s.Init(ts); return s }
func random(ts *Tasks, seed uint64) Strategy  { s := &Random{}; s.Init(ts, seed); return s }
func pos(ts *Tasks, seed uint64) Strategy     { s := &POS{}; s.Init(ts, seed); return s }

func pct(depth, steps uint32) maker {
	return func(ts *Tasks, seed uint64) Strategy { s := &PCT{}; s.Init(ts, seed, depth, steps); return s }
}

func preempt(bound, steps uint32) maker {
	return func(ts *Tasks, seed uint64) Strategy { s := &Preempt{}; s.Init(ts, seed, bound, steps); return s }
}

// surw reads the numbers of steps in a record.
func surw(t *testing.T, text string) maker {
	return func(ts *Tasks, seed uint64) Strategy {
		s := &SURW{}
		s.Init(ts, seed)
		countsOf(t, s.Counts(), text)
		return s
	}
}

// samples counts what the runs of a program print.
func samples(by maker, program func(*model)) map[string]int {
	seen := map[string]int{}
	for seed := range uint64(seeds) {
		seen[sample(by, seed, program)]++
	}
	return seen
}

// chi returns the chi-square statistic of samples against the uniform distribution of a number of values.
func chi(seen map[string]int, values int) float64 {
	expected := float64(seeds) / float64(values)
	x := float64(values-len(seen)) * expected
	for _, n := range seen {
		x += (float64(n) - expected) * (float64(n) - expected) / expected
	}
	return x
}

// sample runs a program with a strategy and returns what it prints.
func sample(by maker, seed uint64, program func(*model)) string {
	m := &machine{tasks: map[ID]*model{}, ts: spare}
	for t := ID(1); t <= ID(spare.n); t++ {
		*m.ts.at(t) = task{}
	}
	m.ts = Tasks{dir: spare.dir}
	m.strategy = by(&m.ts, seed)
	m.start(0, program)
	m.loop()
	spare = m.ts
	return strings.TrimSpace(m.log.String())
}

// spare is the table of tasks of the last run, which is large, for the next one.
var spare = newMachine().ts

// op reaches the point before an operation.
func (t *model) op(op Op, object uintptr) {
	t.m.ts.About(t.id, op, object)
	if t.m.uses != nil {
		t.m.uses.Note(t.id)
	}
	t.point()
}

// counted returns the record of a serial run of a program, with the uses of its objects.
func counted(program func(*model)) string {
	text, _ := recording("serial", depthFirst, 0, program, &Uses{})
	return text
}

func countsOf(t *testing.T, c *Counts, text string) {
	t.Helper()
	if line, ok := c.Read(stored(text)); !ok {
		t.Fatalf("line %d of the record cannot be read:\n%s", line, text)
	}
}

// parallel makes a task for each list; a task prints its letters, with a point before each.
func parallel(tasks ...string) func(*model) {
	return func(x *model) {
		for _, s := range tasks {
			x.fork(func(x *model) {
				for i, c := range s {
					if i > 0 {
						x.op(OpWrite, uintptr(c))
					}
					x.printf("%c", c)
				}
			})
		}
	}
}

// A program whose bug has depth d is caught with the published probability at least.
func TestPCTBound(t *testing.T) {
	const other = "......." // a task in whose middle the bug's operations stand
	for _, c := range []struct {
		depth int
		bug   string // the order of these letters among the printed ones
		tasks []string
	}{
		{1, "ba", []string{"...a...", "...b..."}},
		{2, "axb", []string{"...a..b...", "...x..."}},
		{2, "axb", []string{"...a..b...", "...x...", other, other}},
		{3, "axby", []string{"..a...b..", "..x...y.."}},
	} {
		program := parallel(c.tasks...)
		var n Counts
		countsOf(t, &n, counted(program))
		hits := 0
		for seed := range uint64(seeds) {
			out := sample(pct(uint32(c.depth), n.Steps), seed, program)
			if strings.Map(func(r rune) rune {
				if strings.ContainsRune(c.bug, r) {
					return r
				}
				return -1
			}, out) == c.bug {
				hits++
			}
		}
		bound := 1 / (float64(n.Tasks) * math.Pow(float64(n.Steps), float64(c.depth-1)))
		got := float64(hits) / seeds
		// Three standard deviations of the number of hits.
		if slack := 3 * math.Sqrt(bound*(1-bound)/seeds); got < bound-slack {
			t.Errorf("%v: depth %d in %d steps of %d tasks: %d of %d runs, below the bound %.5f", c.tasks, c.depth, n.Steps, n.Tasks, hits, seeds, bound)
		}
		t.Logf("%v: depth %d, n=%d k=%d: %.4f of the runs, bound %.4f", c.tasks, c.depth, n.Tasks, n.Steps, got, bound)
	}
}

// Without steps to change priorities, no task is interrupted; with d-1 of them, no more than d-1 times.
func TestInterruptions(t *testing.T) {
	program := parallel("aaaa", "bbbb", "cccc")
	for n := range uint32(4) {
		most := map[string]int{}
		for seed := range uint64(seeds / 10) {
			for name, s := range map[string]maker{"preempt": preempt(n, 20), "pct": pct(n+1, 20)} {
				out := strings.ReplaceAll(sample(s, seed, program), " ", "")
				runs := 1
				for i := 1; i < len(out); i++ {
					if out[i] != out[i-1] {
						runs++
					}
				}
				most[name] = max(most[name], runs-3)
			}
		}
		// Each interruption adds a run of equal letters; the one that ends main's turn adds none.
		if most["preempt"] > int(n) || most["preempt"] < min(int(n), 2) {
			t.Errorf("bound %d: %d interruptions", n, most["preempt"])
		}
		if n == 0 && most["pct"] != 0 || most["pct"] > int(n) {
			t.Errorf("depth %d: %d interruptions", n+1, most["pct"])
		}
	}
}

// Steps that do not count have no changes, and leave all of them to those that count.
func TestStepsCount(t *testing.T) {
	for name, begin := range map[string]maker{"pct": pct(3, 12), "preempt": preempt(2, 12)} {
		interrupted := 0
		for seed := range uint64(seeds / 10) {
			var count func(on bool)
			out := sample(func(ts *Tasks, seed uint64) Strategy {
				s := begin(ts, seed)
				count = s.(interface{ Count(bool) }).Count
				count(false)
				return s
			}, seed, func(x *model) {
				x.fork(func(x *model) {
					for range 20 {
						x.printf("a")
						x.point()
					}
					count(true)
					for range 8 {
						x.printf("A")
						x.point()
					}
				})
				x.fork(func(x *model) { x.printf("b") })
			})
			out = strings.ReplaceAll(out, " ", "")
			if strings.Contains(out, "aba") {
				t.Fatalf("%s: %s is interrupted where steps do not count", name, out)
			}
			if strings.Contains(out, "AbA") {
				interrupted++
			}
		}
		if interrupted < seeds/10/10 {
			t.Errorf("%s: %d of %d runs are interrupted where steps count", name, interrupted, seeds/10)
		}
	}
}

// Runs with at most two preemptions have all interleavings that need at most two.
func TestPreemptReachesAll(t *testing.T) {
	seen := samples(preempt(2, 9), parallel("aaa", "bbb"))
	// Of the 20 interleavings, 18 have at most four runs of equal letters, which two preemptions make.
	want := 0
	for mask := range 64 {
		out, ones := "", 0
		for i := range 6 {
			ones += mask >> i & 1
			out += string("ab"[mask>>i&1])
		}
		runs := 1 + strings.Count(out, "ab") + strings.Count(out, "ba")
		if ones != 3 || runs > 4 {
			continue
		}
		want++
		if s := strings.Join(strings.Split(out, ""), " "); seen[s] == 0 {
			t.Errorf("%s is not reached", s)
		}
	}
	if len(seen) != want {
		t.Errorf("%d interleavings, want %d", len(seen), want)
	}
}

// An operation behind n others comes before another task's first one with the probability 1/(n+2) at
// least, not 1/2^(n+1) as with Random.
func TestPOSGoesFar(t *testing.T) {
	program := func(x *model) {
		x.fork(func(x *model) {
			for i := range uintptr(20) {
				x.op(OpWrite, 100+i)
			}
			x.op(OpWrite, 1)
			x.printf("late")
		})
		x.fork(func(x *model) {
			x.op(OpWrite, 1)
			x.printf("early")
		})
	}
	late := func(by maker) float64 { return float64(samples(by, program)["late early"]) / seeds }
	pos, random := late(pos), late(random)
	if pos < 1./22 || random > 0.01 {
		t.Errorf("the task with 20 more operations is first in %.4f of the runs with pos and %.4f with random", pos, random)
	}
	t.Logf("pos %.4f, random %.4f", pos, random)
}

// All orders of conflicting operations are reached.
func TestPOSReachesAll(t *testing.T) {
	seen := samples(pos, func(x *model) {
		for i := range 3 {
			x.fork(func(x *model) {
				for range 2 {
					x.op(OpWrite, 1)
					x.printf("%d", i)
				}
			})
		}
	})
	if len(seen) != 90 {
		t.Errorf("%d of 90 orders are seen", len(seen))
	}
}

// With the numbers of steps, each interleaving has the same probability.
func TestSURWIsUniform(t *testing.T) {
	program := func(x *model) {
		go_ := func(n int, c string) func(*model) {
			return func(x *model) {
				for i := range n {
					if i > 0 {
						x.point()
					}
					x.printf("%s", c)
				}
			}
		}
		// Without points in between, so that all tasks compete from their first steps on.
		x.m.start(x.id, go_(4, "a"))
		x.m.start(x.id, go_(2, "b"))
		x.m.start(x.id, go_(1, "c"))
	}
	const interleavings = 105 // 7!/(4! 2! 1!)
	// The mean is 104, and 170 is exceeded by a uniform distribution once in 20,000 samples.
	if x := chi(samples(surw(t, counted(program)), program), interleavings); x > 170 {
		t.Errorf("surw: chi square %.0f over %d interleavings", x, interleavings)
	}
	if x := chi(samples(random, program), interleavings); x < 1000 {
		t.Errorf("random: chi square %.0f: the test cannot tell them apart", x)
	}
}

// Every strategy makes the same run for the same seed, and each run can be replayed.
func TestStrategiesReplay(t *testing.T) {
	for _, c := range []struct {
		name string
		by   maker
		runs int // different ones among 50, at least
	}{
		{"random", random, 40},
		{"pct", pct(3, 0), 10},
		{"pos", pos, 10},
		{"surw", func(ts *Tasks, seed uint64) Strategy { s := &SURW{}; s.Init(ts, seed); return s }, 10},
		{"preempt", preempt(3, 0), 10},
		{"surw:of=object", selective(counted(program), OfObject), 10},
	} {
		logs := map[string]bool{}
		for seed := range uint64(50) {
			text, log := recording(c.name, c.by, seed, program, nil)
			if again, _ := recording(c.name, c.by, seed, program, nil); again != text {
				t.Fatalf("%s: seed %d makes different choices", c.name, seed)
			}
			logs[log] = true
			r, m := replay(t, text, program)
			if r.Points() != PointsAll || r.Seed() != seed {
				t.Fatalf("%s: the record has points %d, seed %d", c.name, r.Points(), r.Seed())
			}
			if got := m.log.String(); got != log || r.State() != Running {
				t.Fatalf("%s: seed %d: state %d in line %d, ran\n%s\nrecorded\n%s", c.name, seed, r.State(), r.Line(), got, log)
			}
		}
		if len(logs) < c.runs {
			t.Errorf("%s: 50 seeds made only %d different runs", c.name, len(logs))
		}
	}
}

// Changes are different steps, and each set of steps has the same probability.
func TestChanges(t *testing.T) {
	seen := map[string]int{}
	for seed := range seeds {
		c := changes{rng: rng(seed)}
		c.draw(2, 5)
		at := ""
		for range 5 {
			if c.due() != 0 {
				at += fmt.Sprint(c.step, " ")
			}
		}
		seen[at]++
	}
	for at, n := range seen {
		if n < 900 || n > 1100 {
			t.Errorf("steps %s: %d of %d runs, want a tenth", at, n, seeds)
		}
	}
	if len(seen) != 10 {
		t.Errorf("%d pairs of steps, want 10", len(seen))
	}
	var c changes
	c.draw(maxChanges+5, 3)
	if c.n != 3 {
		t.Errorf("%d changes in 3 steps", c.n)
	}
}

func TestPlan(t *testing.T) {
	for s, want := range map[string]Plan{
		"off":              {Kind: KindOff, Depth: 3, Bound: 2},
		"serial":           {Kind: KindSerial, Depth: 3, Bound: 2},
		"random":           {Kind: KindRandom, Depth: 3, Bound: 2},
		"random:7":         {Kind: KindRandom, Seed: 7, Seeded: true, Depth: 3, Bound: 2},
		"pct:7,d=4,k=100":  {Kind: KindPCT, Seed: 7, Seeded: true, Depth: 4, Bound: 2, Steps: 100},
		"pct:d=1":          {Kind: KindPCT, Depth: 1, Bound: 2},
		"preempt:0,b=0":    {Kind: KindPreempt, Seeded: true, Depth: 3},
		"surw:3":           {Kind: KindSURW, Seed: 3, Seeded: true, Depth: 3, Bound: 2},
		"surw:3,of=object": {Kind: KindSURW, Seed: 3, Seeded: true, Depth: 3, Bound: 2, Of: OfObject},
		"surw:of=sites":    {Kind: KindSURW, Depth: 3, Bound: 2, Of: OfSites},
		"dfs:all":          {Kind: KindDFS, Depth: 3, Bound: 2, All: true},
		"replay:a=b,c":     {Kind: KindReplay, Depth: 3, Bound: 2, File: "a=b,c"},
	} {
		var p Plan
		if !p.Parse(s) || p != want {
			t.Errorf("%s: %+v, want %+v", s, p, want)
		}
	}
	for _, s := range []string{"", "x", "off:1", "serial:1", "dfs:", "dfs:1", "replay", "replay:", "random:", "random:x", "random:1,2", "random:-1",
		"random:1,", "random:4294967296", "random:d=3", "pct:1,d=0", "pct:1,d=18", "pct:1,d", "pct:1,b=2", "pct:d=3,7", "preempt:1,b=17", "preempt:1,k=0", "pos:1,k=5", "surw:1,of=", "surw:1,of=all", "surw:1,of", "random:1,of=object"} {
		var p Plan
		if p.Parse(s) {
			t.Errorf("%s is accepted: %+v", s, p)
		}
	}
}

// Time passes at about half of the points with a timer that is due soon, and at no others.
func TestLapse(t *testing.T) {
	n := 0
	var never Lapse
	for seed := range uint64(seeds) {
		var l Lapse
		l.Init(seed)
		if l.Due(lapseSoon) {
			n++
		}
		if l.Due(lapseSoon+1) || never.Due(0) {
			t.Fatalf("seed %d: time passes although no timer is due soon", seed)
		}
	}
	if n < seeds*9/20 || n > seeds*11/20 {
		t.Errorf("time passes in %d of %d runs, want half", n, seeds)
	}
}

// Points take no time at first. Without a wait of all tasks they take more and more, so that a timer of a second fires after
// about a million.
func TestLapsePoints(t *testing.T) {
	var l Lapse
	for k := range uint32(3) {
		if l.Waits() != k {
			t.Fatalf("%d waits of %d", l.Waits(), k)
		}
		for i := range lapseFree {
			if d := l.Point(); d != 0 {
				t.Fatalf("point %d takes %d ns", i+1, d)
			}
		}
		points, now := lapseFree, int64(0)
		for now < 1e9 {
			d := l.Point()
			if d < lapseTime || d > lapseLongTime {
				t.Fatalf("a point after %d takes %d ns", points, d)
			}
			now += d
			points++
		}
		if points < 1_000_000 || points > 1_100_000 {
			t.Errorf("a second passes in %d points", points)
		}
		l.Idle()
	}
}

// A record tells the sites of its run.
func TestRecordOfSites(t *testing.T) {
	m := newMachine()
	r := &Recorder{}
	r.Init(&m.ts, "random:1", 1, PointsProgram, "a.go:12,p.(*T).f*", true, 7)
	out := textOf(r)
	r.Close()
	p, ok := replayOf(&m.ts, out.String())
	if !ok || p.Sites() != "a.go:12,p.(*T).f*" || p.Wall() != 7 || !p.Crypto() || p.Points() != PointsProgram {
		t.Errorf("%v: sites %q, wall %d, points %d of\n%s", ok, p.Sites(), p.Wall(), p.Points(), out)
	}
	if _, ok := replayOf(&m.ts, "taskinstr schedule 1\naccess\n"); ok {
		t.Error("a line without sites is accepted")
	}
	if p, ok := replayOf(&m.ts, "taskinstr schedule 1\nseed 1\n"); !ok || p.Sites() != "" {
		t.Errorf("%v: sites %q of a record without", ok, p.Sites())
	}
}
