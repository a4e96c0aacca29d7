// Package instrs ranges over the instructions of functions and over the uses of values.
package instrs

import (
	"iter"

	"golang.org/x/tools/go/ssa"
)

// Of returns the instructions of a function, block by block.
func Of(f *ssa.Function) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if !yield(in) {
					return
				}
			}
		}
	}
}

// All returns the instructions of functions.
func All(list []*ssa.Function) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, f := range list {
			for in := range Of(f) {
				if !yield(in) {
					return
				}
			}
		}
	}
}

// Uses returns the instructions that use a value, without those for debuggers.
func Uses(v ssa.Value) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, u := range *v.Referrers() {
			if _, debug := u.(*ssa.DebugRef); !debug && !yield(u) {
				return
			}
		}
	}
}
