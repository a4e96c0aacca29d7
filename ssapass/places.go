package ssapass

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Places remembers the indexes of instructions in long blocks.
type Places map[*ssa.BasicBlock]map[ssa.Instruction]int

// shortBlock is the number of instructions up to which a search is cheaper than a table.
const shortBlock = 24

// Of returns the index of an instruction in its block.
func (p Places) Of(in ssa.Instruction) int {
	b := in.Block()
	if len(b.Instrs) <= shortBlock {
		return slices.Index(b.Instrs, in)
	}
	m := p[b]
	if m == nil {
		m = make(map[ssa.Instruction]int, len(b.Instrs))
		for i, x := range b.Instrs {
			m[x] = i
		}
		p[b] = m
	}
	return m[in]
}
