package ssapass

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
)

// TestFieldCalls: a call of a field's value has known callees unless the package may give the
// field another value. Each change stands for one rule.
func TestFieldCalls(t *testing.T) {
	const machine = `package b

import "unsafe"

type machine struct {
	step func(*machine, byte) int // field
	n    int
}

var current *machine

func New() *machine { return &machine{step: first} }

func (m *machine) Run(p []byte) {
	for _, c := range p {
		m.step(m, c)
	}
}

func (m *machine) Reset() { *m = machine{step: func(*machine, byte) int { return 0 }} }
func (m *machine) Stop()  { m.step = nil }

func first(m *machine, c byte) int  { m.step = second; return 0 }
func second(m *machine, c byte) int { m.step = first; return int(uintptr(unsafe.Pointer(&current))) }

// more
`
	for _, c := range []struct {
		name     string
		from, to string
		known    int // callees; -1 if not known
	}{
		{name: "as it is", known: 3},
		{"copies", "// more", "func Copy(m *machine) machine { return *m }", 3},
		{"a function of the caller", "// more", "func (m *machine) Set(f func(*machine, byte) int) { m.step = f }", -1},
		{"the value of another field", "// more", "type other struct { Step func(*machine, byte) int }\nfunc (m *machine) Use(o *other) { m.step = o.Step }", -1},
		{"address of the field", "// more", "func (m *machine) Addr() *func(*machine, byte) int { return &m.step }", -1},
		{"exported field", "step func", "Step func", -1},
		{"conversion", "// more", "type twin struct {\n\tstep func(*machine, byte) int\n\tn int\n}\nfunc (t *twin) Set(f func(*machine, byte) int) { t.step = f }\nfunc Open(t *twin) *machine { return (*machine)(t) }", -1},
		{"conversion of a value", "// more", "type twin struct {\n\tstep func(*machine, byte) int\n\tn int\n}\nfunc (t *twin) Set(f func(*machine, byte) int) { t.step = f }\nfunc Open(t twin) machine { return machine(t) }", -1},
		{"unsafe", "// more", "func Open(p unsafe.Pointer) *machine { return (*machine)(p) }", -1},
		{"unsafe, in a struct", "// more", "type two struct { a, b machine }\nfunc Open(p unsafe.Pointer) *two { return (*two)(p) }", -1},
		{"generic function", "// more", "func Generic[T any](m *machine, f func(*machine, byte) int) { m.step = f }", -1},
		{"generic function with a literal", "// more", "func Generic[T any](f func(*machine, byte) int) *machine { return &machine{f, 0} }", -1},
		{"generic type", "type machine struct", "type maker[T any] struct{}\nfunc (maker[T]) Make(f func(*machine, byte) int) *machine { return &machine{f, 0} }\ntype machine struct", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := machine
			if c.from == "step func" {
				src = strings.ReplaceAll(strings.ReplaceAll(src, "step", "Step"), "// field", "")
			} else if c.from != "" {
				src = strings.Replace(src, c.from, c.to, 1)
			}
			if c.from != "" && src == machine {
				t.Fatal("the change changes nothing")
			}
			a := analyzeChained(t, map[string]*chained{}, "b", src).analysis
			calls := 0
			for _, f := range a.prog.funcs {
				for in := range instrs.Of(f) {
					call, ok := in.(*ssa.Call)
					if !ok || f.Name() != "Run" || call.Call.StaticCallee() != nil || builtin(call) != "" {
						continue
					}
					calls++
					list, external := a.Callees(call)
					if c.known < 0 && !external || c.known >= 0 && (external || len(list) != c.known) {
						t.Errorf("calls %v, external %v; want %d known", list, external, c.known)
					}
				}
			}
			if calls != 1 {
				t.Errorf("%d calls", calls)
			}
		})
	}
}
