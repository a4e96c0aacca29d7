package contract_test

import (
	"testing"

	"taskinstr/detector/contract"
	"taskinstr/detector/parallel"
	"taskinstr/detector/race"
	"taskinstr/detector/serial"
	"taskinstr/detector/serial/drdp"
	"taskinstr/detector/serial/espbags"
)

// A subject is a new detector, its main task, and its reports so far: the sites of both sides.
type subject[T, O, C any] struct {
	contract.Engine[T, O, C]
	main *T
	got  *[][2]uintptr
}

// A serialEngine is a detector of serial execution.
type serialEngine[C any] interface {
	contract.Engine[serial.Task, serial.Options, C]
	OnReport(func(*serial.Report))
}

// TestConformance checks the laws that hold for every detector. All run the child of a fork to its end
// before its parent goes on, as detectors of serial execution need it.
func TestConformance(t *testing.T) {
	t.Run("engine", func(t *testing.T) {
		laws(t, 0xc000100000, func() subject[parallel.Task, parallel.Options, parallel.Stats] {
			e, got := new(parallel.Engine), new([][2]uintptr)
			main := e.Init(parallel.Options{})
			parallel.OnReport(e, func(r *parallel.Report) { *got = append(*got, [2]uintptr{r.Prev.Site, r.Cur.Site}) })
			return subject[parallel.Task, parallel.Options, parallel.Stats]{e, main, got}
		})
	})
	t.Run("espbags", func(t *testing.T) {
		lawsOfSerial(t, func() serialEngine[espbags.Stats] { return new(espbags.Engine) })
	})
	t.Run("drdp", func(t *testing.T) {
		lawsOfSerial(t, func() serialEngine[drdp.Stats] { return new(drdp.Engine) })
	})
}

func lawsOfSerial[C any](t *testing.T, start func() serialEngine[C]) {
	laws(t, 1<<20, func() subject[serial.Task, serial.Options, C] {
		e, got := start(), new([][2]uintptr)
		main := e.Init(serial.Options{Space: 32})
		e.OnReport(func(r *serial.Report) { *got = append(*got, [2]uintptr{r.Prev.Site, r.Cur.Site}) })
		return subject[serial.Task, serial.Options, C]{e, main, got}
	})
}

// laws checks the laws. heap is an address that the detector takes for memory.
func laws[T, O, C any](t *testing.T, heap uintptr, start func() subject[T, O, C]) {
	const lock = 1 << 16
	access := func(e *subject[T, O, C], by *T, addr, n uintptr, k race.Kind, site uintptr) {
		e.Access(by, addr, n, k, site, site, 0)
	}
	child := func(e *subject[T, O, C], f func(c *T)) {
		c := e.Fork(e.main, 0, 1)
		f(c)
		e.End(c)
	}
	for _, law := range []struct {
		name string
		want int // reports
		run  func(t *testing.T, e *subject[T, O, C])
	}{
		{"nothing orders a child's access and its parent's next one", 1, func(t *testing.T, e *subject[T, O, C]) {
			child(e, func(c *T) { access(e, c, heap, 8, race.Write, 1) })
			access(e, e.main, heap, 8, race.Read, 2)
		}},
		{"a fork orders what came before it", 0, func(t *testing.T, e *subject[T, O, C]) {
			access(e, e.main, heap, 8, race.Write, 1)
			child(e, func(c *T) { access(e, c, heap, 8, race.Write, 2) })
		}},
		{"two reads do not race", 0, func(t *testing.T, e *subject[T, O, C]) {
			child(e, func(c *T) { access(e, c, heap, 8, race.Read, 1) })
			access(e, e.main, heap, 8, race.Read, 2)
		}},
		{"atomic accesses do not race", 0, func(t *testing.T, e *subject[T, O, C]) {
			child(e, func(c *T) { access(e, c, heap, 8, race.AtomicWrite, 1) })
			access(e, e.main, heap, 8, race.AtomicWrite, 2)
		}},
		{"accesses to different bytes do not race", 0, func(t *testing.T, e *subject[T, O, C]) {
			child(e, func(c *T) { access(e, c, heap, 4, race.Write, 1) })
			access(e, e.main, heap+4, 4, race.Write, 2)
		}},
		{"one byte in common is enough", 1, func(t *testing.T, e *subject[T, O, C]) {
			child(e, func(c *T) { access(e, c, heap, 5, race.Write, 1) })
			access(e, e.main, heap+4, 4, race.Write, 2)
		}},
		{"a pair of stacks is reported once", 1, func(t *testing.T, e *subject[T, O, C]) {
			for i := range uintptr(3) {
				child(e, func(c *T) { access(e, c, heap+8*i, 8, race.Write, 1) })
				access(e, e.main, heap+8*i, 8, race.Write, 2)
			}
		}},
		{"other callers are other stacks", 3, func(t *testing.T, e *subject[T, O, C]) {
			for i := range uintptr(6) {
				from := e.PushFrame(e.main, e.PushFrame(e.main, 0, 0x100+i%3), 0x200)
				child(e, func(c *T) { access(e, c, heap+8*i, 8, race.Write, 1) })
				e.Access(e.main, heap+8*i, 8, race.Write, 2, 2, from)
			}
		}},
		{"and once more after ReportAgain", 2, func(t *testing.T, e *subject[T, O, C]) {
			for i := range uintptr(2) {
				child(e, func(c *T) { access(e, c, heap+8*i, 8, race.Write, 1) })
				access(e, e.main, heap+8*i, 8, race.Write, 2)
				e.ReportAgain()
			}
		}},
		{"fresh memory has no history", 0, func(t *testing.T, e *subject[T, O, C]) {
			child(e, func(c *T) { access(e, c, heap, 16, race.Write, 1) })
			if !e.HasShadow(heap, 16) {
				t.Error("HasShadow knows of none")
			}
			e.Alloc(heap, 8)
			e.Free(heap+8, 8)
			access(e, e.main, heap, 16, race.Write, 2)
		}},
		{"accesses under one lock do not race", 0, func(t *testing.T, e *subject[T, O, C]) {
			child(e, func(c *T) {
				e.Lock(c, heap+lock, false)
				access(e, c, heap, 8, race.Write, 1)
				if !e.Unlock(c, heap+lock, false) {
					t.Error("Unlock knows of no lock")
				}
			})
			e.Lock(e.main, heap+lock, false)
			access(e, e.main, heap, 8, race.Write, 2)
			e.Unlock(e.main, heap+lock, false)
		}},
		{"a covered access would find nothing", 1, func(t *testing.T, e *subject[T, O, C]) {
			child(e, func(c *T) {
				access(e, c, heap, 8, race.Write, 1)
				if e.Probe(e.main, heap, 8, race.Write) == race.Covered {
					t.Error("covered by the access of another task")
				}
				if e.Probe(c, heap, 16, race.Write) == race.Covered {
					t.Error("covered by an access to half of the bytes")
				}
			})
			if e.Probe(e.main, heap, 8, race.Read) == race.Covered {
				t.Error("covered after the end of the task")
			}
			access(e, e.main, heap, 8, race.Read, 2)
		}},
		{"a sweep changes no verdict", 1, func(t *testing.T, e *subject[T, O, C]) {
			child(e, func(c *T) { access(e, c, heap, 8, race.Write, 1) })
			n := e.Sweeps()
			e.Sweep()
			if e.Sweeps() == n {
				t.Error("Sweeps does not change")
			}
			access(e, e.main, heap, 8, race.Read, 2)
		}},
		{"tasks have numbers in the order of forks", 0, func(t *testing.T, e *subject[T, O, C]) {
			for want := uint64(2); want < 5; want++ {
				child(e, func(c *T) {
					if n := e.Serial(c); n != want {
						t.Errorf("task %d is %d", want, n)
					}
				})
			}
			if n := e.Serial(e.main); n != 1 {
				t.Errorf("the main task is %d", n)
			}
		}},
		{"stacks", 0, func(t *testing.T, e *subject[T, O, C]) {
			a := e.PushFrame(e.main, 0, 0x1000)
			b := e.PushFrame(e.main, a, 0x2000)
			if up, pc := e.Frame(b); up != a || pc != 0x2000 {
				t.Errorf("frame %d is %d, %#x", b, up, pc)
			}
			if up, pc := e.Frame(0); up != 0 || pc != 0 {
				t.Errorf("the empty stack is %d, %#x", up, pc)
			}
			if c := e.QuickFrame(e.main, a, 0x2000); c != b && c != 0 {
				t.Errorf("frame %d once more is %d", b, c)
			}
		}},
	} {
		e := start()
		law.run(t, &e)
		if len(*e.got) != law.want {
			t.Errorf("%s: reports %v, want %d", law.name, *e.got, law.want)
		}
		e.Close()
	}
}
