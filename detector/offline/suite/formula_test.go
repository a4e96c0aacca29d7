package suite

import (
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/trace"
)

// A formula refers to reads of the same call or of a caller, never to reads of another
// call of a recursive function.
func TestFormulaCalls(t *testing.T) {
	const (
		readPlace, branchPlace, newPlace = 1, 2, 3
		caller, callee, other            = 1, 2, 3 // contexts
	)
	s := &trace.Symbols{
		Meta:   map[string]string{},
		Stacks: []trace.Stack{{}, {}, {Parent: caller}, {Parent: caller}},
		Places: []trace.Place{{}, {Package: "p", Site: 5}, {Package: "p", Site: 6, Formula: "(== @4:i8 #7)"}, {Package: "p", Site: 7, Formula: newMemory}},
	}
	for _, c := range []struct {
		read, branch uint32
		known        bool
	}{
		{caller, caller, true},
		{caller, callee, true},
		{callee, caller, false},
		{callee, other, false},
	} {
		f := newFormulas(s)
		var got event.Expr
		emit := func(e *event.Event) {
			if e.Op == event.Branch {
				got = e.Expr
			}
		}
		f.event(&event.Event{Op: event.Access, Site: readPlace, Stack: c.read, Addr: 8, Size: 8, Valued: true, Value: 7}, emit)
		f.event(&event.Event{Op: event.Branch, Site: branchPlace, Stack: c.branch, Obj: 1}, emit)
		if (got != nil) != c.known {
			t.Errorf("read in context %d, branch in %d: %v", c.read, c.branch, got)
		}
	}
	s.Places = append(s.Places, trace.Place{Package: "p", Site: 8}, trace.Place{Package: "p", Site: 9, Formula: "(&& (== @4:i8 #7) @7:b1)"})
	f := newFormulas(s)
	var got event.Expr
	emit := func(e *event.Event) { got = e.Expr }
	read := func(place uint32) {
		f.event(&event.Event{Op: event.Access, Site: place, Addr: 8, Size: 8, Valued: true, Value: 7}, emit)
	}
	branch := func() event.Expr {
		f.event(&event.Event{Op: event.Branch, Site: 5, Obj: 1}, emit)
		return got
	}
	read(readPlace)
	read(4)
	if branch() == nil {
		t.Error("both operands were read, but the condition is not known")
	}
	if read(readPlace); branch() != nil {
		t.Errorf("the right operand was not read this time, but the condition is %v", got)
	}
	var write event.Event
	newFormulas(s).event(&event.Event{Op: event.Access, Kind: event.Write, Site: newPlace, Addr: 8, Size: 8, Valued: true, Value: 0xc000}, func(e *event.Event) { write = *e })
	if !write.Valued || write.Value != 0xc000 || write.Expr != nil {
		t.Errorf("the address of new memory is %+v", write)
	}
}
