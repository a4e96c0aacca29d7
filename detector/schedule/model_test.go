package schedule

import (
	"bytes"
	"fmt"
	"testing"
	"unsafe"
)

// A machine runs model programs. Its tasks are goroutines that pass control to the
// machine at each operation.
type machine struct {
	ts       Tasks
	strategy Strategy
	recorder *Recorder
	uses     *Uses // nil: operations are not counted
	points   bool
	tasks    map[ID]*model
	log      bytes.Buffer
	ready    int
}

// A model is a task of a machine.
type model struct {
	m    *machine
	id   ID
	run  chan bool // the machine lets the task run
	gave chan bool // the task passes control back
	over bool
}

func newMachine() *machine {
	m := &machine{tasks: map[ID]*model{}}
	m.ts.Init()
	return m
}

// start makes a task that runs f.
func (m *machine) start(parent ID, f func(*model)) *model {
	t := &model{m: m, run: make(chan bool), gave: make(chan bool)}
	t.id = m.ts.Fork(parent, 0)
	m.tasks[t.id] = t
	m.strategy.Fork(t.id)
	if m.recorder != nil && parent != 0 {
		m.recorder.Fork(parent, t.id)
	}
	m.wake(t, New)
	go func() {
		<-t.run
		f(t)
		t.over = true
		t.gave <- true
	}()
	return t
}

func (m *machine) wake(t *model, why Reason) {
	m.ready++
	m.strategy.Ready(t.id, why)
}

// loop runs tasks until no task can run.
func (m *machine) loop() {
	for {
		id := ID(0)
		if m.ready > 0 {
			id = m.strategy.Next()
		}
		if id == 0 {
			return
		}
		m.ready--
		if m.recorder != nil {
			m.recorder.Choice(id)
		}
		t := m.tasks[id]
		t.run <- true
		<-t.gave
		if t.over {
			delete(m.tasks, id)
			m.strategy.End(id)
			m.ts.End(id)
		}
	}
}

// pass passes control to the machine and returns when t runs again.
func (t *model) pass() {
	t.gave <- true
	<-t.run
}

func (t *model) point() {
	if t.m.strategy.Stay(t.id) {
		if t.m.recorder != nil {
			t.m.recorder.Choice(t.id)
		}
		return
	}
	t.m.wake(t, Resumed)
	t.pass()
}

func (t *model) fork(f func(*model)) *model {
	c := t.m.start(t.id, f)
	t.point()
	return c
}

func (t *model) yield() {
	t.m.wake(t, Yielded)
	t.pass()
}

func (t *model) block() { t.pass() }

func (t *model) printf(format string, args ...any) {
	fmt.Fprintf(&t.m.log, format+" ", args...)
}

func (ts *Tasks) name(t ID) string {
	var b [MaxName]byte
	return string(b[:ts.Name(t, &b)])
}

// textOf collects the text of r.
func textOf(r *Recorder) *bytes.Buffer {
	var b bytes.Buffer
	writers.Store(r, func(p []byte) { b.Write(p) })
	return &b
}

// stored returns a text as the host has it.
func stored(text string) (p unsafe.Pointer, n uintptr) {
	b := []byte(text)
	p = unsafe.Pointer(unsafe.SliceData(b))
	memory.Store(uintptr(p), b)
	return p, uintptr(len(b))
}

func replayOf(ts *Tasks, text string) (*Replay, bool) {
	r := &Replay{}
	p, n := stored(text)
	return r, r.Init(ts, p, n)
}

// replay runs a program as a record tells, which must be one.
func replay(t *testing.T, text string, program func(*model)) (*Replay, *machine) {
	t.Helper()
	m := newMachine()
	r, ok := replayOf(&m.ts, text)
	if !ok {
		t.Fatalf("line %d of the record cannot be read:\n%s", r.Line(), text)
	}
	m.strategy = r
	m.start(0, program)
	m.loop()
	return r, m
}

// A maker makes a strategy for a run.
type maker func(ts *Tasks, seed uint64) Strategy

// recording runs a program and returns the record of the run and what it prints. u, unless it is nil,
// counts the uses of objects.
func recording(name string, by maker, seed uint64, program func(*model), u *Uses) (text, log string) {
	m := newMachine()
	m.strategy = by(&m.ts, seed)
	m.recorder = &Recorder{}
	m.recorder.Init(&m.ts, name, seed, PointsAll, "", false, 0)
	if m.uses = u; u != nil {
		u.Init(&m.ts)
	}
	out := textOf(m.recorder)
	m.start(0, program)
	m.loop()
	if u != nil {
		m.recorder.Uses(u)
	}
	m.recorder.Exit()
	m.recorder.Close()
	return out.String(), m.log.String()
}
