package ssapass

import (
	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/pointsto"
)

// A variable that a closure captures lies in the heap, and each call of the function that
// declares it makes a new one. If only this function writes the variable by its name, the
// call that reads it by its name is the call that writes it, in one task. The read cannot
// race, even if other tasks read the variable, too.
//
//	n := 0
//	go func() { println(n) }() // may race with n++
//	for n < 10 {               // cannot race
//		n++
//	}

// ByMaker reports whether addr, a value of a function, is the address of a variable of the
// present call, and no other call may write this variable while tasks run in parallel; s is
// the memory at addr.
func (a *Analysis) ByMaker(addr ssa.Value, s pointsto.Set) bool {
	return makes(addr, nil) && !a.foreignWrites.may(a.Points, s)
}

// makes reports whether each value of addr is the address of a variable, or of a part of one,
// that the function makes to which addr belongs. seen holds the phis on the way.
func makes(addr ssa.Value, seen map[*ssa.Phi]bool) bool {
	switch v := base(addr).(type) {
	case *ssa.Alloc:
		return true
	case *ssa.Phi: // instances of a loop variable
		if seen[v] {
			return true
		}
		if seen == nil {
			seen = map[*ssa.Phi]bool{}
		}
		seen[v] = true
		for _, e := range v.Edges {
			if !makes(e, seen) {
				return false
			}
		}
		return true
	}
	return false
}

// addForeign adds the writes of the instruction to the foreign writes, unless it writes a
// variable of its own call.
func (a *Analysis) addForeign(in ssa.Instruction) {
	if s, ok := in.(*ssa.Store); ok && makes(s.Addr, nil) {
		return
	}
	a.memory(in, func(s pointsto.Set, write bool) {
		if write {
			a.addWritten(&a.foreignWrites, s)
		}
	})
}
