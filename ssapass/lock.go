package ssapass

import (
	"fmt"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
)

// A Lock is a Mutex or RWMutex, named by a path of fields from a value of one function.
// At one instruction, equal Locks are the same lock, and different Locks may be the
// same lock.
type Lock struct {
	Base ssa.Value // a Global, parameter, free variable, or other value of the function
	Path string    // numbers of fields, such as ".0.2"
	Read bool      // held in read mode
}

// A lockSet is a set of locks that are held on all paths; its order has no meaning.
type lockSet []Lock

func (s lockSet) with(l Lock) lockSet {
	if slices.Contains(s, l) {
		return s
	}
	return append(slices.Clone(s), l)
}

func (s lockSet) without(l Lock) lockSet {
	return slices.DeleteFunc(slices.Clone(s), func(m Lock) bool { return m == l })
}

func (s lockSet) meet(t lockSet) lockSet {
	return slices.DeleteFunc(slices.Clone(s), func(l Lock) bool { return !slices.Contains(t, l) })
}

type locks struct {
	locksOnce sync.Once
	lockEntry map[*ssa.Function]lockSet // of the functions that calls reach
	lockIn    map[*ssa.BasicBlock]lockSet
	// unlocks has the functions that may release a lock that they did not acquire.
	unlocks map[*ssa.Function]bool
}

// Held returns locks that are held on all paths to the instruction. The first call
// computes them for the whole program.
func (a *Analysis) Held(in ssa.Instruction) []Lock {
	a.locksOnce.Do(a.findLocks)
	s, ok := a.lockIn[in.Block()]
	if !ok {
		return nil
	}
	for _, i := range in.Block().Instrs {
		if i == in {
			break
		}
		s, _ = a.lockStep(s, i)
	}
	return s
}

// lockOf returns the Lock at address v.
func lockOf(v ssa.Value, read bool) Lock {
	path := ""
	for {
		f, ok := v.(*ssa.FieldAddr)
		if !ok {
			return Lock{v, path, read}
		}
		path = fmt.Sprintf(".%d%s", f.Field, path)
		v = f.X
	}
}

// lockOp returns the lock of the call, and +1 if the call acquires it, -1 if it
// releases it, 0 otherwise.
func lockOp(c *ssa.CallCommon) (l Lock, op int) {
	f := c.StaticCallee()
	if f == nil || len(c.Args) == 0 {
		return l, 0
	}
	if _, ok := syncOf(f); !ok {
		return l, 0
	}
	switch f.String() {
	case "(*sync.Mutex).Lock", "(*sync.RWMutex).Lock":
		return lockOf(c.Args[0], false), +1
	case "(*sync.RWMutex).RLock":
		return lockOf(c.Args[0], true), +1
	case "(*sync.Mutex).Unlock", "(*sync.RWMutex).Unlock":
		return lockOf(c.Args[0], false), -1
	case "(*sync.RWMutex).RUnlock":
		return lockOf(c.Args[0], true), -1
	}
	return l, 0
}

// lockStep executes one instruction. Result stray reports that it may release a lock
// that is not in s; afterwards no lock is held for certain.
func (a *Analysis) lockStep(s lockSet, in ssa.Instruction) (out lockSet, stray bool) {
	if v, ok := in.(ssa.Value); ok && len(s) > 0 {
		// A new execution of v may name another lock.
		s = slices.DeleteFunc(slices.Clone(s), func(l Lock) bool { return l.Base == v })
	}
	switch in := in.(type) {
	case *ssa.Call:
		return a.lockCall(s, in)
	case *ssa.RunDefers, *ssa.Return:
		d := a.deferredAt(in)
		for i := len(d) - 1; i >= 0; i-- {
			var x bool
			s, x = a.lockCall(s, d[i])
			stray = stray || x
		}
	}
	return s, stray
}

func (a *Analysis) lockCall(s lockSet, c ssa.CallInstruction) (out lockSet, stray bool) {
	l, op := lockOp(c.Common())
	switch {
	case op > 0:
		return s.with(l), false
	case op < 0 && slices.Contains(s, l):
		// A Lock with another name is released only if it is the same lock. A reader
		// may hold a lock twice, but the set has it once.
		return s.without(l), false
	case op < 0:
		return nil, true
	}
	list, external := a.Callees(c)
	for _, f := range list {
		if a.mayUnlock(f) {
			return nil, true
		}
	}
	if external {
		return nil, true
	}
	return s, false
}

func (a *Analysis) mayUnlock(f *ssa.Function) bool {
	if u, ok := a.unlocks[f]; ok {
		return u
	}
	return a.Summary(f).Sync&(MayLock|CallsUnseen) != 0
}

// findLocks computes the locks that are held. It visits callees first to find the
// functions that release locks, then callers first to find the locks held on entry.
func (a *Analysis) findLocks() {
	a.unlocks = map[*ssa.Function]bool{}
	a.lockIn = map[*ssa.BasicBlock]lockSet{}
	a.lockEntry = map[*ssa.Function]lockSet{}
	for _, scc := range a.order {
		for _, f := range scc {
			switch {
			case a.Summary(f).Sync&(MayLock|CallsUnseen) == 0:
				a.unlocks[f] = false
			case ofSync(f), len(scc) > 1, f.Blocks == nil:
				a.unlocks[f] = true
			default:
				a.unlocks[f] = a.lockFlow(f, nil, nil)
			}
		}
	}
	enter := map[*ssa.Function]bool{}
	start := func(f *ssa.Function) { a.lockEntry[f], enter[f] = nil, true }
	for _, f := range a.roots() {
		start(f)
	}
	for _, f := range a.prog.taken {
		start(f)
	}
	for f := range a.Points.EscapedFuncs {
		start(f)
	}
	for in := range instrs.All(a.prog.funcs) {
		switch in := in.(type) {
		case *ssa.Go, *ssa.Defer: // a panic may run a deferred call at any point
			for _, g := range a.known(in.(ssa.CallInstruction)) {
				start(g)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(a.order) - 1; i >= 0; i-- {
			for _, f := range a.order[i] {
				if !enter[f] || f.Blocks == nil {
					continue
				}
				enter[f] = false
				a.lockFlow(f, a.lockEntry[f], func(g *ssa.Function, s lockSet) {
					old, reached := a.lockEntry[g]
					if reached {
						s = old.meet(s)
					}
					if !reached || len(s) < len(old) {
						a.lockEntry[g], enter[g], changed = s, true, true
					}
				})
			}
		}
	}
}

// lockFlow executes f from the locks held on entry, and passes each callee with its
// entry locks to function call, unless that is nil. It reports whether f may release a
// lock that it did not acquire.
func (a *Analysis) lockFlow(f *ssa.Function, entry lockSet, call func(*ssa.Function, lockSet)) (stray bool) {
	if len(f.Blocks) == 0 {
		return false
	}
	in := map[*ssa.BasicBlock]lockSet{f.Blocks[0]: entry}
	work := []*ssa.BasicBlock{f.Blocks[0]}
	if f.Recover != nil {
		in[f.Recover] = nil
		work = append(work, f.Recover)
	}
	for b := range drain(&work) {
		s := in[b]
		for _, i := range b.Instrs {
			var x bool
			s, x = a.lockStep(s, i)
			stray = stray || x && b != f.Recover
		}
		for _, n := range b.Succs {
			old, ok := in[n]
			t := s
			if ok {
				t = old.meet(s)
			}
			if !ok || len(t) < len(old) {
				in[n] = t
				work = append(work, n)
			}
		}
	}
	if call == nil {
		return stray
	}
	for b, s := range in {
		a.lockIn[b] = s
		for _, i := range b.Instrs {
			if c, ok := i.(*ssa.Call); ok {
				for _, g := range a.known(c) {
					call(g, passLocks(s, &c.Call, g))
				}
			}
			s, _ = a.lockStep(s, i)
		}
	}
	return stray
}

// passLocks returns the locks of s under their names in the callee f.
func passLocks(s lockSet, c *ssa.CallCommon, f *ssa.Function) (out lockSet) {
	for _, l := range s {
		if _, ok := l.Base.(*ssa.Global); ok {
			out = out.with(l)
		}
		if c.IsInvoke() || c.StaticCallee() != f {
			continue
		}
		for k, p := range f.Params {
			if k < len(c.Args) {
				if m := lockOf(c.Args[k], l.Read); m.Base == l.Base && len(l.Path) >= len(m.Path) && l.Path[:len(m.Path)] == m.Path && (len(l.Path) == len(m.Path) || l.Path[len(m.Path)] == '.') {
					out = out.with(Lock{p, l.Path[len(m.Path):], l.Read})
				}
			}
		}
		if m, ok := c.Value.(*ssa.MakeClosure); ok {
			for k, v := range m.Bindings {
				if v == l.Base {
					out = out.with(Lock{f.FreeVars[k], l.Path, l.Read})
				}
			}
		}
	}
	return out
}
