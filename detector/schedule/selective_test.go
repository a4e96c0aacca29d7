package schedule

import (
	"strings"
	"testing"
)

// letters makes a task for each text. A small letter is an operation on the object of the letter's name, a capital letter or a
// digit is one on another object for each task. Tasks print what they make.
func letters(tasks ...string) func(*model) {
	return func(x *model) {
		for i, s := range tasks {
			// Without points in between, so that all tasks compete from their first steps on.
			x.m.start(x.id, func(x *model) {
				for _, c := range s {
					object := uintptr(c) << 3
					if c < 'a' {
						object = uintptr(100+i) << 20
					}
					x.op(OpWrite, object)
					x.printf("%d%c", i, c)
				}
			})
		}
	}
}

// selective returns a strategy that has read a record.
func selective(text string, of Selection) maker {
	p, n := stored(text)
	return func(ts *Tasks, seed uint64) Strategy {
		s := &Selective{}
		s.Init(ts, seed, of)
		s.Read(p, n)
		return s
	}
}

// The orders of the selected operations have the same probability, whatever else the tasks do in between.
func TestSelectiveIsUniform(t *testing.T) {
	// Three tasks use x: 3, 2 and 1 times. The first one has much else to do.
	program := letters("AAAAAAAAAAxAAAAAxAAAAAAAAx", "xBx", "CCCCx")
	text := counted(program)
	const orders = 60                           // 6!/(3! 2! 1!)
	selected := func(by maker) map[string]int { // the orders of the operations on x
		seen := map[string]int{}
		for out, n := range samples(by, program) {
			order := ""
			for _, word := range strings.Fields(out) {
				if word[1] == 'x' {
					order += word[:1]
				}
			}
			seen[order] += n
		}
		return seen
	}
	// The mean is 59, and 110 is exceeded by a uniform distribution once in 20,000 samples.
	seen := selected(selective(text, OfObject))
	if x := chi(seen, orders); x > 110 || len(seen) != orders {
		t.Errorf("selective: chi square %.0f over %d of %d orders", x, len(seen), orders)
	}
	if x := chi(selected(surw(t, text)), orders); x < 1000 {
		t.Errorf("surw: chi square %.0f: the test cannot tell them apart", x)
	}
}

// All interleavings of the other operations are reached, too.
func TestSelectiveReachesAll(t *testing.T) {
	program := letters("xA", "xB", "xC")
	seen := samples(selective(counted(program), OfObject), program)
	if len(seen) != 90 { // 6!/(2! 2! 2!)
		t.Errorf("%d of 90 interleavings are seen", len(seen))
	}
}

// A task that is made later takes its operations over from the task that makes it.
func TestSelectiveForks(t *testing.T) {
	program := func(x *model) {
		task := func(n int, c string) func(*model) {
			return func(x *model) {
				for range n {
					x.op(OpWrite, 8)
					x.printf("%s", c)
				}
			}
		}
		x.m.start(x.id, func(x *model) {
			x.m.start(x.id, task(2, "a"))
			x.m.start(x.id, task(1, "b"))
		})
		x.m.start(x.id, task(2, "c"))
	}
	seen := samples(selective(counted(program), OfObject), program)
	const orders = 30 // 5!/(2! 1! 2!)
	for order, n := range seen {
		if want := seeds / orders; n < want*3/4 || n > want*5/4 {
			t.Errorf("%s: %d of %d runs, want about %d", order, n, seeds, want)
		}
	}
	if len(seen) != orders {
		t.Errorf("%d of %d orders are seen", len(seen), orders)
	}
}

// Each object that several tasks use is selected with the same probability, and no other one.
func TestSelectiveDrawsObject(t *testing.T) {
	by := selective(counted(letters("xyA", "xyzB", "zyCx")), OfObject)
	seen := map[uintptr]int{}
	for seed := range uint64(3000) {
		seen[by(&spare, seed).(*Selective).object]++
	}
	if len(seen) != 3 {
		t.Errorf("objects %v, want those of x, y and z", seen)
	}
	for _, c := range "xyz" {
		if n := seen[uintptr(c)<<3]; n < 900 || n > 1100 {
			t.Errorf("%c: %d of 3000 runs, want a third", c, n)
		}
	}
}

// Accesses at chosen sites, to whatever memory, are selected together.
func TestSelectiveOfSites(t *testing.T) {
	program := func(x *model) {
		for i := range 2 {
			x.m.start(x.id, func(x *model) {
				for k := range uintptr(2) {
					for range 10 * i {
						x.op(OpWrite, 1<<20)
					}
					x.op(OpWrite, Access(64+8*k))
					x.printf("%d", i)
				}
			})
		}
	}
	seen := samples(selective(counted(program), OfSites), program)
	for order, n := range seen {
		if n < seeds/6*9/10 || n > seeds/6*11/10 {
			t.Errorf("%s: %d of %d runs, want a sixth", order, n, seeds)
		}
	}
	if len(seen) != 6 {
		t.Errorf("%d of 6 orders are seen", len(seen))
	}
}

// Tasks that wait for each other, and yield meanwhile, are not kept from their selected operations for ever. Nor do
// numbers of another program do any harm.
func TestSelectiveGoesOn(t *testing.T) {
	for _, text := range []string{counted(letters("xxxxxxxx", "x")), counted(letters("x", "xxxx")), counted(letters("x", "y")), "taskinstr schedule 1\n# use 5\n# use 960 x 1\n"} {
		for seed := range uint64(200) {
			turn := 0
			out := sample(selective(text, OfObject), seed, func(x *model) {
				for i := range 2 {
					x.m.start(x.id, func(x *model) {
						for range 3 {
							for turn%2 != i {
								x.yield()
							}
							x.op(OpWrite, 'x'<<3)
							turn++
							x.printf("%d", i)
						}
					})
				}
			})
			if out != "0 1 0 1 0 1" {
				t.Fatalf("seed %d: %s", seed, out)
			}
		}
	}
}
