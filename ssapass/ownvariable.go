package ssapass

import (
	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/pointsto"
)

// A variable that a closure captures lies in the heap, and each call of the function that
// declares it makes a new one. If only this function writes the variable by its name, the
// call that reads it by its name is the call that writes it, in one task: the read cannot
// race, whatever other tasks do with variables of other calls, and whoever else reads.
//
//	n := 0
//	go func() { println(n) }() // may race with n++
//	for n < 10 {               // cannot race
//		n++
//	}

// ByMaker reports whether the instruction belongs to the call that made the variable at
// addr, and no one else may write this variable while tasks run in parallel; s is the
// memory at addr.
func (a *Analysis) ByMaker(in ssa.Instruction, addr ssa.Value, s pointsto.Set) bool {
	return makes(in.Parent(), addr) && !a.foreignWrites.may(a.Points, s)
}

// makes reports whether each value of addr is the address of a variable, or of a part of one,
// that the same call of f made.
func makes(f *ssa.Function, addr ssa.Value) bool {
	seen := map[*ssa.Phi]bool{}
	var all func(v ssa.Value) bool
	all = func(v ssa.Value) bool {
		switch v := v.(type) {
		case *ssa.Alloc:
			return v.Parent() == f
		case *ssa.FieldAddr:
			return all(v.X)
		case *ssa.IndexAddr:
			return !isSlice(v.X.Type()) && all(v.X)
		case *ssa.Phi: // instances of a loop variable
			if seen[v] {
				return true
			}
			seen[v] = true
			for _, e := range v.Edges {
				if !all(e) {
					return false
				}
			}
			return true
		}
		return false
	}
	return all(addr)
}

// addForeign adds what the instruction may write to the foreign writes, unless it writes a
// variable of its own call.
func (a *Analysis) addForeign(in ssa.Instruction) {
	if s, ok := in.(*ssa.Store); ok && makes(in.Parent(), s.Addr) {
		return
	}
	a.memory(in, func(s pointsto.Set, write bool) {
		if write {
			a.addWritten(&a.foreignWrites, s)
		}
	})
}
