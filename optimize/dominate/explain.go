package dominate

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/step"
	"taskinstr/ssapass"
)

// explain notes for each kept access of f what keeps another check of the function from covering
// it.
func (d *dominator) explain(f *function) {
	for _, a := range f.list {
		switch {
		case d.b.IsOpen(a.site):
			d.b.Keep(a.site, d.obstacle(f, a))
		case d.b.Covers(a.site):
			d.b.Keep(a.site, "its check covers other accesses")
		}
	}
}

// obstacle returns the reason why no earlier check of f covers access a. Among several checks of
// the same bytes, the one that fails last counts.
func (d *dominator) obstacle(f *function, a *access) string {
	const (
		none = iota
		elsewhere
		moved
		separated
	)
	worst, at := none, ""
	for addr := a.Addr; addr != nil; addr = container(addr) {
		for _, c := range f.byAddr[f.num.number(addr)] {
			if c.site == a.site || a.write && !c.write || !d.b.Checked(c.site) {
				continue
			}
			switch {
			case !d.paths.dominates(c.Instr, a.Instr):
				worst = max(worst, elsewhere)
			case !d.same(f, c.Addr, addr, d.unchanged(a)):
				worst = max(worst, moved)
			default:
				d.paths.between(c.Instr, a.Instr, func(in ssa.Instruction, sync ssapass.Sync) bool {
					if sync&step.Separates != 0 {
						worst, at = separated, d.event(in, sync)
					}
					return sync&step.Separates == 0
				})
			}
		}
	}
	switch worst {
	case elsewhere:
		return "its other checks in the function are on other paths"
	case moved:
		return "the pointer to it may have changed since an earlier check"
	case separated:
		return at
	}
	return "no other check of it in the function"
}

// event names an instruction that separates steps: its class, and behind a colon the callee.
func (d *dominator) event(in ssa.Instruction, sync ssapass.Sync) string {
	c, ok := in.(ssa.CallInstruction)
	if !ok {
		switch in.(type) {
		case *ssa.RunDefers, *ssa.Return:
			return "a deferred call may release since an earlier check"
		}
		return "a channel operation since an earlier check"
	}
	if _, ok := in.(*ssa.Go); ok {
		return "a go statement since an earlier check"
	}
	common := c.Common()
	may := "may release"
	switch {
	case sync&ssapass.CallsUnseen != 0:
		may = "may do anything"
	case sync&(ssapass.MayRelease|ssapass.MaySpawn) == 0:
		may = "takes a lock"
	}
	kind, name := "a call of a function value", ""
	if common.IsInvoke() {
		kind, name = "a call through an interface", ": "+common.Method.FullName()
	} else if g := common.StaticCallee(); g != nil {
		kind, name = "a call", ": "+g.RelString(nil)
	}
	return fmt.Sprintf("%s %s since an earlier check%s", kind, may, name)
}
