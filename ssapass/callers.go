package ssapass

import "golang.org/x/tools/go/ssa"

// Callers returns the calls that may run f, and whether there are no others: f is
// no function value, no method that interfaces or reflection may find, and no entry
// of the program. Of a library nobody knows all callers.
func (a *Analysis) Callers(f *ssa.Function) (calls []ssa.CallInstruction, all bool) {
	if a.callers == nil {
		a.findCallers()
	}
	// The runtime calls Error and String of what a panic was given.
	named := f.Signature.Recv() != nil && (f.Name() == "Error" || f.Name() == "String")
	all = a.prog.unit == nil && len(a.prog.Mains) > 0 && !named && !a.prog.isTaken[f] && !a.entered[f] && !a.Points.EscapedFuncs[f]
	return a.callers[f], all
}

func (a *Analysis) findCallers() {
	a.callers, a.entered = map[*ssa.Function][]ssa.CallInstruction{}, map[*ssa.Function]bool{}
	for _, f := range a.roots() {
		a.entered[f] = true
	}
	for _, list := range a.prog.methods {
		for _, m := range list {
			if m.fn != nil {
				a.entered[m.fn] = true
			}
		}
	}
	for _, f := range a.prog.funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(ssa.CallInstruction); ok {
					list, _ := a.Callees(c) // code not seen runs what is used as a value
					for _, g := range list {
						a.callers[g] = append(a.callers[g], c)
					}
				}
			}
		}
	}
}
