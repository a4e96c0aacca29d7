package ssapass

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/ssa"
)

// resolve finds the callees of dynamic calls by variable type analysis, which
// propagates types to the operands of calls.
func (p *Program) resolve() {
	g := vta.CallGraph(p.seen, nil)
	p.calls = map[ssa.CallInstruction][]*ssa.Function{}
	for f, n := range g.Nodes {
		if f == nil {
			continue
		}
		for _, e := range n.Out {
			if e.Site == nil || e.Site.Common().StaticCallee() != nil {
				continue
			}
			if c := e.Callee.Func; p.seen[c] {
				p.calls[e.Site] = append(p.calls[e.Site], c)
			}
		}
	}
	order := make(map[*ssa.Function]int, len(p.funcs))
	for i, f := range p.funcs {
		order[f] = i
	}
	for _, l := range p.calls {
		slices.SortFunc(l, func(a, b *ssa.Function) int { return cmp.Compare(order[a], order[b]) })
	}
}
