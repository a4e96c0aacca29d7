package ssapass

import (
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestSharedCallees compares the callees of all calls with unknown operands with the union
// of what the call graph and Unknown have for the call. Calls may share their lists, so the
// lists must not change while others are made.
func TestSharedCallees(t *testing.T) {
	a := load(t, module(t, leanProgram), false, ".").Analyze()
	type callees struct {
		list, kept []*ssa.Function
	}
	calls := map[ssa.CallInstruction]callees{}
	shared := map[**ssa.Function]int{}
	for c := range a.Points.UnknownCalls {
		list, _ := a.Callees(c)
		calls[c] = callees{list, append([]*ssa.Function(nil), list...)}
		if len(list) > 1 {
			shared[&list[0]]++
		}
	}
	several := 0
	for _, n := range shared {
		if n > 1 {
			several++
		}
	}
	if len(calls) < 20 || several == 0 {
		t.Fatalf("%d calls, %d shared lists", len(calls), several)
	}
	for c, got := range calls {
		if pkg := packageOf(c.Parent()); pkg != nil && pkg.Path() == "internal/sync" || is(c.Parent(), "(*sync.Once).doSlow") {
			continue // exceptions of Callees
		}
		want := map[*ssa.Function]bool{}
		for _, f := range a.prog.Callees(c) {
			want[f] = true
		}
		cc := c.Common()
		for _, f := range a.prog.Unknown(cc) {
			if cc.IsInvoke() || a.Points.Gaps[c] || a.Points.EscapedFuncs[f] {
				want[f] = true
			}
		}
		has := map[*ssa.Function]bool{}
		for i, f := range got.list {
			if f != got.kept[i] {
				t.Errorf("%v in %v: the list of callees has changed", c, c.Parent())
			}
			if has[f] || !want[f] {
				t.Errorf("%v in %v: callee %v is double or wrong", c, c.Parent(), f)
			}
			has[f] = true
		}
		if len(has) != len(want) {
			t.Errorf("%v in %v: %d callees, want %d", c, c.Parent(), len(has), len(want))
		}
	}
}
