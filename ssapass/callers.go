package ssapass

import (
	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
)

// Callers returns the calls that may run f, and whether these are all: f is neither a
// function value, nor a method that interfaces or reflection may find, nor an entry of
// the program or unit. The callers of a library are unknown.
func (a *Analysis) Callers(f *ssa.Function) (calls []ssa.CallInstruction, all bool) {
	if a.callers == nil {
		a.findCallers()
	}
	// The runtime calls Error and String of the value of a panic.
	named := f.Signature.Recv() != nil && (f.Name() == "Error" || f.Name() == "String")
	all = (a.prog.unit != nil || len(a.prog.Mains) > 0) && !named && !a.prog.isTaken[f] && !a.entered[f] && !a.Points.EscapedFuncs[f]
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
	for in := range instrs.All(a.prog.funcs) {
		if c, ok := in.(ssa.CallInstruction); ok {
			for _, g := range a.known(c) { // external code runs functions that are used as values; they are not in the list
				a.callers[g] = append(a.callers[g], c)
			}
		}
	}
}
