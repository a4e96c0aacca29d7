package ssapass

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/site"
	"taskinstr/ssapass/pointsto"
)

// contract returns the contract of a function without a body.
func (p *Program) contract(f *ssa.Function) (pointsto.Contract, bool) {
	if p.unit == nil {
		return knownContract(f)
	}
	k, done := p.unit.contracts[f]
	if !done {
		if x, ok := knownContract(f); ok {
			k = &x
		} else if x, ok := p.fact(f); ok {
			k = x.Flow
		}
		p.unit.contracts[f] = k
	}
	if k == nil {
		return pointsto.Contract{}, false
	}
	return *k, true
}

// foreignContract returns the contract of a foreign function.
func (p *Program) foreignContract(f *ssa.Function) (pointsto.Contract, bool) {
	if !p.foreign(f) {
		return pointsto.Contract{}, false
	}
	return p.contract(f)
}

// contractOf returns the contract of f, or nil if it has none.
func (a *Analysis) contractOf(f *ssa.Function) *contract {
	if len(f.Blocks) > 0 {
		return a.contracts[f]
	}
	if k, ok := a.prog.contract(f); ok {
		return &contract{Contract: k, elsewhere: a.bodyless(f).memory}
	}
	if a.prog.foreign(f) {
		return nil
	}
	return assemblyContract(f)
}

// Keeps reports whether f may make the memory to which its argument i points known to others, as far as callers can
// tell that have its contract alone.
func (a *Analysis) Keeps(f *ssa.Function, i int) bool {
	k := a.contractOf(f)
	return k == nil || i >= len(k.Params) || k.Params[i]&pointsto.Keeps != 0
}

// assemblyContract returns the contract of assembly: it keeps no pointer to memory that
// holds none itself (see Soundness in doc.go). It returns nil for a function that gets other
// pointers.
func assemblyContract(f *ssa.Function) *contract {
	sig := f.Signature
	if sig.Recv() != nil || bodyless(f).memory {
		return nil
	}
	uses, ok := transient(sig, false)
	if !ok {
		return nil
	}
	return &contract{Contract: pointsto.Contract{Params: uses, Results: make([]pointsto.Source, sig.Results().Len())}}
}

// transient returns the uses of arguments that a function reads and writes only while it runs; ok is
// false if an argument leads to pointers. If calls is set, the function may also get functions of
// numbers, which it calls.
func transient(sig *types.Signature, calls bool) (uses []pointsto.Use, ok bool) {
	for v := range sig.Params().Variables() {
		use := pointsto.Reads | pointsto.Writes
		if g, isFunc := v.Type().Underlying().(*types.Signature); isFunc && calls {
			for x := range g.Params().Variables() {
				if !numbers(x.Type()) {
					return nil, false
				}
			}
			use = pointsto.Calls
		} else if !numbers(v.Type()) && !pureBytes(v.Type()) {
			return nil, false
		}
		uses = append(uses, use)
	}
	return uses, true
}

// knownContract returns the contract of a function that has no facts, since its package gets no
// checks or it is generic, or of which facts say too little.
func knownContract(f *ssa.Function) (k pointsto.Contract, ok bool) {
	pkg := packageOf(f)
	if pkg == nil {
		return k, false
	}
	sig := f.Signature
	switch pkg.Path() {
	case "sync":
		// The runtime's accesses to the memory of locks are not accesses of the program.
		switch f.String() {
		case "(*sync.Mutex).Lock", "(*sync.Mutex).TryLock", "(*sync.Mutex).Unlock",
			"(*sync.RWMutex).Lock", "(*sync.RWMutex).TryLock", "(*sync.RWMutex).Unlock",
			"(*sync.RWMutex).RLock", "(*sync.RWMutex).TryRLock", "(*sync.RWMutex).RUnlock",
			"(*sync.WaitGroup).Add", "(*sync.WaitGroup).Done", "(*sync.WaitGroup).Wait", "(*sync.WaitGroup).Go",
			"(*sync.Map).Load", "(*sync.Map).Store", "(*sync.Map).LoadOrStore", "(*sync.Map).LoadAndDelete", "(*sync.Map).Delete",
			"(*sync.Map).Swap", "(*sync.Map).CompareAndSwap", "(*sync.Map).CompareAndDelete", "(*sync.Map).Clear":
			return keepingContract(sig), true
		case "(*sync.Once).Do", "(*sync.Map).Range":
			k = keepingContract(sig)
			k.Params[1] = pointsto.Calls
			return k, true
		}
	case "sync/atomic":
		r := sig.Recv()
		if r == nil {
			return k, false
		}
		if _, isNamed := types.Unalias(site.Elem(r.Type())).(*types.Named); isNamed {
			k = keepingContract(sig)
			k.Params[0] = pointsto.Reads | pointsto.Writes
			return k, true
		}
	case "slices":
		return slicesContract(f)
	case "sort":
		switch f.Name() {
		case "Slice", "SliceStable", "SliceIsSorted": // the second argument gets indices alone
			return pointsto.Contract{Params: []pointsto.Use{pointsto.Reads | pointsto.Writes | pointsto.Links, pointsto.Calls}}, true
		}
	case "internal/strconv", "internal/byteorder", "internal/stringslite":
		return leafContract(f)
	case "internal/bytealg":
		if f.Name() == "MakeNoZero" {
			return leafContract(f)
		}
		return readingContract(f)
	}
	return k, false
}

// readingContract returns the contract of a function of package internal/bytealg: it compares, counts
// or finds bytes of its arguments, and writes none.
func readingContract(f *ssa.Function) (k pointsto.Contract, ok bool) {
	for v := range f.Signature.Results().Variables() {
		if !numbers(v.Type()) {
			return k, false
		}
	}
	k.Params, ok = transient(f.Signature, false)
	for i := range k.Params {
		k.Params[i] &^= pointsto.Writes
	}
	k.Results = make([]pointsto.Source, f.Signature.Results().Len())
	return k, ok
}

// keepingContract returns the contract of a method that keeps its arguments and uses no memory
// of its receiver that the program accesses.
func keepingContract(sig *types.Signature) pointsto.Contract {
	k := pointsto.Contract{Params: make([]pointsto.Use, 1+sig.Params().Len())}
	for i := range sig.Params().Len() {
		if !numbers(sig.Params().At(i).Type()) {
			k.Params[1+i] = pointsto.Keeps
		}
	}
	return k
}

// comparesItself reports whether f is the method that keeps the address of a strings.Builder in the Builder,
// where package strings compares it, and follows it nowhere.
func comparesItself(f *ssa.Function) bool { return f.String() == "(*strings.Builder).copyCheck" }

// leafContract returns the contract of a function that computes and keeps nothing. It
// may return a slice of its argument, or a new one.
func leafContract(f *ssa.Function) (k pointsto.Contract, ok bool) {
	if f.Signature.Recv() != nil || instance(f) {
		return k, false
	}
	k.Params, ok = transient(f.Signature, false)
	k.Results = leafResults(f.Signature)
	return k, ok
}

// leafResults returns the sources of the results of a function that computes.
func leafResults(sig *types.Signature) (list []pointsto.Source) {
	for v := range sig.Results().Variables() {
		s := pointsto.Source{Known: isSlice(v.Type()), Fresh: true}
		for i := range sig.Params().Len() {
			if types.Identical(sig.Params().At(i).Type(), v.Type()) {
				s.From |= 1 << i
			}
		}
		list = append(list, s)
	}
	return list
}

// slicesContract returns the contract of an instance of a generic function of package slices for
// elements without pointers. Such functions compute, and call the functions that they are given.
func slicesContract(f *ssa.Function) (k pointsto.Contract, ok bool) {
	for v := range f.Signature.Results().Variables() {
		if !numbers(v.Type()) && !pureBytes(v.Type()) {
			return k, false
		}
	}
	k.Params, ok = transient(f.Signature, true)
	k.Results = leafResults(f.Signature)
	return k, ok
}

func instance(f *ssa.Function) bool { return f.Origin() != nil || f.TypeParams().Len() > 0 }

// leaf reports whether f belongs to a package without facts and only computes.
func leaf(f *ssa.Function) bool {
	pkg := packageOf(f)
	if pkg == nil {
		return false
	}
	switch pkg.Path() {
	case "slices":
		k, ok := slicesContract(f)
		return ok && !slices.Contains(k.Params, pointsto.Calls)
	case "internal/strconv", "internal/byteorder", "internal/stringslite", "internal/goarch", "internal/cpu", "internal/abi":
		_, ok := leafContract(f)
		return ok
	}
	return false
}

// known reports whether a contract says more than that a function without one may do.
func known(k *pointsto.Contract) bool {
	for _, u := range k.Params {
		if u&pointsto.Keeps == 0 {
			return true
		}
	}
	for _, s := range k.Results {
		if s.Known {
			return true
		}
	}
	return len(k.Params) == 0
}

// argumentMemory calls visit for the memory of the arguments of a call that a callee without
// a body here accesses, if that callee has a contract.
func (a *Analysis) argumentMemory(c ssa.CallInstruction, f *ssa.Function, visit func(s pointsto.Set, write bool)) bool {
	if c.Common().IsInvoke() || !a.prog.foreign(f) {
		return false
	}
	k, ok := a.prog.contract(f)
	if !ok {
		return false
	}
	pkg := packageOf(f).Path()
	for i, v := range c.Common().Args {
		use := pointsto.Keeps | pointsto.Writes
		if i < len(k.Params) {
			use = k.Params[i]
		}
		if use&(pointsto.Reads|pointsto.Writes) == 0 || numbers(v.Type()) {
			continue
		}
		write := use&pointsto.Writes != 0
		_, within := v.Type().Underlying().(*types.Pointer)
		if within = within && staysWithin[pkg]; within {
			visit(a.Points.Points(v), write)
		}
		if pkg != "sync/atomic" { // an atomic operation follows no pointer
			a.deep(v, within, func(s pointsto.Set) { visit(s, write) })
		}
	}
	return true
}

// ArgumentWrites returns the memory of its arguments that a call of f may write; ok is false if f has
// no contract, or a body here.
func (a *Analysis) ArgumentWrites(c ssa.CallInstruction, f *ssa.Function) (list []pointsto.Set, ok bool) {
	ok = a.argumentMemory(c, f, func(s pointsto.Set, write bool) {
		if write {
			list = append(list, s)
		}
	})
	return list, ok
}

// staysWithin lists packages of which no function leaves, by means of package unsafe, the
// value to which an argument points: of a struct with a counter or buffer as a field, their
// methods access this field alone.
var staysWithin = map[string]bool{
	"bufio": true, "bytes": true, "container/list": true, "container/ring": true, "math/big": true,
	"math/rand": true, "math/rand/v2": true, "strings": true, "sync/atomic": true, "time": true,
}
