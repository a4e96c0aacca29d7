package schedule

import (
	"strings"
	"testing"
	"unsafe"
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

// used returns the record of a run of a program with the uses of its objects.
func used(program func(*model)) string { return recordOf(program, &Uses{}) }

// selective returns a strategy that has read a record.
func selective(text string, seed uint64, of Selection) func(ts *Tasks) Strategy {
	b := []byte(text)
	memory.Store(uintptr(unsafe.Pointer(unsafe.SliceData(b))), b)
	return func(ts *Tasks) Strategy {
		s := &Selective{}
		s.Init(ts, seed, of)
		s.Read(unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b)))
		return s
	}
}

// The orders of the selected operations have the same probability, whatever else the tasks do in between.
func TestSelectiveIsUniform(t *testing.T) {
	// Three tasks use x: 3, 2 and 1 times. The first one has much else to do.
	program := letters("AAAAAAAAAAxAAAAAxAAAAAAAAx", "xBx", "CCCCx")
	text := used(program)
	const orders = 60 // 6!/(3! 2! 1!)
	chi := func(init func(seed uint64) func(*Tasks) Strategy) (float64, int) {
		seen := map[string]int{}
		for seed := range uint64(seeds) {
			order := ""
			for _, word := range strings.Fields(sample(init(seed), program)) {
				if word[1] == 'x' {
					order += word[:1]
				}
			}
			seen[order]++
		}
		const expected = float64(seeds) / orders
		x := float64(orders-len(seen)) * expected
		for _, n := range seen {
			x += (float64(n) - expected) * (float64(n) - expected) / expected
		}
		return x, len(seen)
	}
	// The mean is 59, and 110 is exceeded by a uniform distribution once in 20,000 samples.
	if x, n := chi(func(seed uint64) func(*Tasks) Strategy { return selective(text, seed, OfObject) }); x > 110 || n != orders {
		t.Errorf("selective: chi square %.0f over %d of %d orders", x, n, orders)
	}
	if x, _ := chi(func(seed uint64) func(*Tasks) Strategy {
		return func(ts *Tasks) Strategy {
			s := &SURW{}
			s.Init(ts, seed)
			countsOf(t, s.Counts(), text)
			return s
		}
	}); x < 1000 {
		t.Errorf("surw: chi square %.0f: the test cannot tell them apart", x)
	}
}

// All interleavings of the other operations are reached, too.
func TestSelectiveReachesAll(t *testing.T) {
	program := letters("xA", "xB", "xC")
	text := used(program)
	seen := map[string]bool{}
	for seed := range uint64(seeds) {
		seen[sample(selective(text, seed, OfObject), program)] = true
	}
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
	text := used(program)
	seen := map[string]int{}
	for seed := range uint64(seeds) {
		seen[strings.ReplaceAll(sample(selective(text, seed, OfObject), program), " ", "")]++
	}
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
	text := used(letters("xyA", "xyzB", "zyCx"))
	b := []byte(text)
	memory.Store(uintptr(unsafe.Pointer(unsafe.SliceData(b))), b)
	seen := map[uintptr]int{}
	for seed := range uint64(3000) {
		s := &Selective{}
		s.Init(&spare, seed, OfObject)
		s.Read(unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b)))
		seen[s.object]++
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
	text := used(program)
	seen := map[string]int{}
	for seed := range uint64(seeds) {
		seen[sample(selective(text, seed, OfSites), program)]++
	}
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
	for _, text := range []string{used(letters("xxxxxxxx", "x")), used(letters("x", "xxxx")), used(letters("x", "y")), "taskinstr schedule 1\n# use 5\n# use 960 x 1\n"} {
		for seed := range uint64(200) {
			turn := 0
			out := sample(selective(text, seed, OfObject), func(x *model) {
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
