package ssapass

import (
	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

// PointsTo computes the points-to sets of the program.
func (p *Program) PointsTo() *pointsto.Result {
	c := pointsto.Config{
		Prog: p.SSA, Funcs: p.funcs, Callees: p.Callees, Unknown: p.Unknown, Entries: p.entries,
		Body: p.Body, Clone: p.clonable(),
	}
	if p.unit != nil {
		c.Foreign, c.Open, c.Contract, c.Opaque = p.foreign, p.open, p.foreignContract, Opaque
		c.Ordered = !p.partial()
	}
	if p.byMethod {
		// Reflection may call any exported method.
		for _, l := range p.methods {
			for _, m := range l {
				if m.fn != nil && m.sel.Obj().Exported() {
					c.Entries = append(c.Entries, m.fn)
				}
			}
		}
	}
	switch {
	case p.unit != nil:
		c.Entries = append(c.Entries, p.entered...)
	case len(p.Mains) == 0:
		c.Entries = append(c.Entries, p.taken...)
	}
	return pointsto.Analyze(c)
}

func (p *Program) partial() bool { return p.unit != nil && p.unit.list[0].Partial }

// clonable returns the functions that have an instance for each call: functions of the
// modules at hand that return memory they allocate.
func (p *Program) clonable() func(*ssa.Function) bool {
	local := map[string]bool{}
	for _, pkg := range p.Packages {
		if pkg.Module != nil {
			local[pkg.PkgPath] = true
		}
	}
	memo := map[*ssa.Function]bool{}
	return func(f *ssa.Function) bool {
		ok, done := memo[f]
		if !done {
			pkg := packageOf(f)
			ok = pkg != nil && local[pkg.Path()] && allocates(f)
			memo[f] = ok
		}
		return ok
	}
}

// allocates reports whether f may allocate memory that outlives it.
func allocates(f *ssa.Function) bool {
	for in := range instrs.Of(f) {
		switch in := in.(type) {
		case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
			return true
		case *ssa.Alloc:
			if in.Heap {
				return true
			}
		case *ssa.Call:
			if c := in.Call.StaticCallee(); c != nil && c != f && c.Signature.Results().Len() > 0 {
				return true
			}
		}
	}
	return false
}
