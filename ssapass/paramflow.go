package ssapass

import (
	"go/token"
	"go/types"
	"math/bits"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/pace"
	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

// A paramFlow computes the contract of a function (pointsto.Contract): how it treats the
// memory that its parameters lead to. It is a points-to analysis of this one function,
// inclusion-based and flow-insensitive, that knows few objects: for each parameter one that
// includes everything the parameter leads to, one for each allocation, and one, elsewhere,
// for all other memory. An object is one bit of a word, and all pointers in an object
// have one set. Callees have contracts, too: functions of the unit in the order of the call
// graph, others by their facts. A call without a contract keeps all that it gets.
//
// The contract is weaker than the sets where two parameters may lead to memory that both
// modify: a pointer that is stored in the memory of another parameter, or in
// new memory, counts as kept.
type paramFlow struct {
	a       *Analysis
	f       *ssa.Function
	sets    map[ssa.Value]objects
	results map[resultOf]objects // of calls with several results
	content [objectBits]objects
	made    map[resultOf]objects // the objects of allocations and of calls with fresh results
	next    int                  // the next free object
	returns []objects
	reads   objects
	writes  objects
	stores  objects
	changed bool
	room    []*ssa.Value // for the operands of an instruction
}

// objects is a set of objects.
type objects uint64

const (
	objectBits           = 64
	elsewhere    objects = 1
	lastObject           = objectBits - 1 // shared by the allocations for which no other bit is left
	maxFlow              = 24             // parameters of a function with a contract
	maxFlowSteps         = 40             // visits of a function until its sets must be stable
)

type resultOf struct {
	call ssa.Value
	n    int
}

func param(i int) objects { return 1 << (1 + i) }

// findContracts computes the contracts of the functions with bodies, callees first.
func (a *Analysis) findContracts() {
	a.contracts = map[*ssa.Function]*contract{}
	p := new(paramFlow)
	for _, scc := range a.order {
		pace.Step()
		for _, f := range scc {
			if len(f.Blocks) > 0 && len(f.FreeVars) == 0 && len(f.Params) <= maxFlow {
				a.contracts[f] = &contract{Contract: pointsto.Contract{
					Params: make([]pointsto.Use, len(f.Params)), Results: noSources(f.Signature.Results()),
				}}
			}
		}
		for round, again := 0, true; again; round++ { // from the least contracts upwards
			again = false
			for _, f := range scc {
				switch k := a.contracts[f]; {
				case k == nil:
				case round > maxFlowSteps:
					delete(a.contracts, f)
					again = true
				default:
					again = p.flowOf(a, f, k) || again
				}
			}
			again = again && (len(scc) > 1 || callsItself(scc[0]))
		}
	}
}

// A contract is a pointsto.Contract with the fact whether the function accesses memory that
// its parameters do not lead to.
type contract struct {
	pointsto.Contract
	elsewhere bool
}

func noSources(t *types.Tuple) []pointsto.Source {
	list := make([]pointsto.Source, t.Len())
	for i := range list {
		list[i].Known = true
		list[i].Deep = pointsto.IsDeep(t.At(i).Type())
	}
	return list
}

func callsItself(f *ssa.Function) bool {
	for in := range instrs.Of(f) {
		if c, ok := in.(ssa.CallInstruction); ok && c.Common().StaticCallee() == f {
			return true
		}
	}
	return false
}

// begin makes p ready for function f. The tables keep their room from one function to the
// next, unless they are so large that clearing them costs more.
func (p *paramFlow) begin(a *Analysis, f *ssa.Function) {
	const large = 512
	if p.sets == nil || len(p.sets) > large {
		p.sets, p.results, p.made = map[ssa.Value]objects{}, map[resultOf]objects{}, map[resultOf]objects{}
	}
	clear(p.sets)
	clear(p.results)
	clear(p.made)
	*p = paramFlow{
		a: a, f: f, sets: p.sets, results: p.results, made: p.made, room: p.room,
		next: 1 + len(f.Params), returns: make([]objects, f.Signature.Results().Len()),
	}
}

// flowOf computes the contract of f from those of its callees. It reports whether the
// contract grew.
func (p *paramFlow) flowOf(a *Analysis, f *ssa.Function, k *contract) bool {
	p.begin(a, f)
	p.content[0] = elsewhere
	for i, x := range f.Params {
		if !numbers(x.Type()) {
			p.sets[x] = param(i)
			p.content[1+i] = param(i)
		}
	}
	for p.changed = true; p.changed; {
		p.changed = false
		for in := range instrs.Of(f) {
			p.instr(in)
		}
	}
	old := k.clone()
	p.conclude(k)
	return !k.equal(&old)
}

func (k *contract) clone() contract {
	c := *k
	c.Params, c.Results = slices.Clone(k.Params), slices.Clone(k.Results)
	return c
}

func (k *contract) equal(o *contract) bool {
	return k.elsewhere == o.elsewhere && slices.Equal(k.Params, o.Params) && slices.Equal(k.Results, o.Results)
}

// conclude writes the contract that the sets show.
func (p *paramFlow) conclude(k *contract) {
	l := p.outlasting()
	for j := range p.returns {
		if !p.source(&k.Results[j], j, l) {
			l.kept |= p.returns[j] // a pointer to it leaves by a result whose sources importers do not see
		}
	}
	k.elsewhere = k.elsewhere || (p.reads|p.writes)&elsewhere != 0
	p.uses(k, l.kept)
}

// lasting has the objects that outlast a call.
type lasting struct {
	kept      objects // those to which memory leads that importers do not see
	surviving objects // those to which memory leads that outlives the call
	outside   objects // surviving, without the objects to which new memory alone leads
	twice     objects // those to which several results lead
}

// outlasting returns the objects that outlast the call. It does not know yet which results have sources.
func (p *paramFlow) outlasting() (l lasting) {
	l.kept = p.reachable(elsewhere)
	l.surviving = l.kept
	for i := range p.f.Params {
		inside := p.reachable(p.content[1+i])
		l.kept |= inside &^ param(i) // stored in the memory of another parameter
		l.surviving |= inside
	}
	l.outside = l.surviving
	var returned objects
	for _, r := range p.returns {
		l.twice |= returned & r
		returned |= r
	}
	for rest := returned &^ elsewhere; rest != 0; rest &= rest - 1 {
		o := bits.TrailingZeros64(uint64(rest))
		if o > len(p.f.Params) { // new memory: what is stored in it is kept
			inside := p.reachable(p.content[o])
			l.kept |= inside
			l.surviving |= inside
		}
	}
	// Memory of a parameter in which pointers to new memory are stored leads to the parameter
	// by a way that importers do not see if that new memory leads back.
	for i := range p.f.Params {
		for rest := p.reachable(p.content[1+i]) &^ p.old(); rest != 0; rest &= rest - 1 {
			l.kept |= p.reachable(p.content[bits.TrailingZeros64(uint64(rest))])
		}
	}
	return l
}

// old returns the objects that exist before the call: the parameters' objects, and elsewhere.
func (p *paramFlow) old() objects { return 1<<(1+len(p.f.Params)) - 1 }

// source writes where result j comes from. It reports whether that is known.
func (p *paramFlow) source(s *pointsto.Source, j int, l lasting) bool {
	r, old := p.returns[j], p.old()
	t := p.f.Signature.Results().At(j).Type()
	switch t.Underlying().(type) {
	case *types.Slice, *types.Pointer:
		if r&(elsewhere|1<<lastObject|l.surviving&^old|l.twice&^old) != 0 {
			s.Known = false
		}
	default:
		s.Known = s.Known && numbers(t)
	}
	if !s.Known {
		s.Fresh, s.From, s.Deep = false, 0, false
		return false
	}
	s.Fresh = s.Fresh || r&^old != 0
	s.From |= uint32(r & old >> 1)
	inside, shared := p.reachable(p.inside(r&^old)), l.outside|old|1<<lastObject|r
	for i, o := range p.returns {
		if i != j {
			shared |= p.reachable(o)
		}
	}
	s.Deep = s.Deep && inside&shared == 0
	return true
}

// uses writes the function's uses of the memory of each parameter.
func (p *paramFlow) uses(k *contract, kept objects) {
	for i := range p.f.Params {
		x := param(i)
		if kept&x != 0 {
			k.Params[i] |= pointsto.Keeps
		}
		if p.reads&x != 0 {
			k.Params[i] |= pointsto.Reads
		}
		if p.writes&x != 0 {
			k.Params[i] |= pointsto.Writes
		}
		if p.stores&x != 0 {
			k.Params[i] |= pointsto.Stores | pointsto.Writes
		}
	}
}

// reachable returns the objects of a set and all that their pointers lead to.
func (p *paramFlow) reachable(s objects) objects {
	for {
		t := s
		for rest := s; rest != 0; rest &= rest - 1 {
			t |= p.content[bits.TrailingZeros64(uint64(rest))]
		}
		if t == s {
			return s
		}
		s = t
	}
}

// of returns the objects to which v may point.
func (p *paramFlow) of(v ssa.Value) objects {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Builtin, *ssa.Function:
		return 0
	case *ssa.Global, *ssa.FreeVar:
		return elsewhere
	default:
		return p.sets[v]
	}
}

// flow adds objects to the set of v.
func (p *paramFlow) flow(v ssa.Value, s objects) {
	if old := p.sets[v]; old|s != old && !numbers(v.Type()) {
		p.sets[v] = old | s
		p.changed = true
	}
}

// put notes that pointers to the objects x are stored in the objects of to.
func (p *paramFlow) put(to, x objects) {
	p.stores |= to
	for rest := to; rest != 0; rest &= rest - 1 {
		c := &p.content[bits.TrailingZeros64(uint64(rest))]
		if *c|x != *c {
			*c |= x
			p.changed = true
		}
	}
}

// inside returns the objects to which pointers in the objects of s point.
func (p *paramFlow) inside(s objects) (t objects) {
	for ; s != 0; s &= s - 1 {
		t |= p.content[bits.TrailingZeros64(uint64(s))]
	}
	return t
}

// alloc returns the object of an allocation, with a new bit for key if it has none.
func (p *paramFlow) alloc(key resultOf) objects {
	o, ok := p.made[key]
	if !ok {
		n := min(p.next, lastObject)
		p.next++
		o = 1 << n
		p.made[key] = o
	}
	return o
}

// escape notes that unknown code gets the objects.
func (p *paramFlow) escape(s objects) {
	s = p.reachable(s)
	p.put(elsewhere, s)
	p.put(s, elsewhere|s)
	p.reads |= s
	p.writes |= s
}

func (p *paramFlow) instr(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Alloc:
		p.flow(in, p.alloc(resultOf{in, 0}))
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		v := in.(ssa.Value)
		p.flow(v, p.alloc(resultOf{v, 0}))
	case *ssa.MakeClosure:
		o := p.alloc(resultOf{in, 0})
		for _, b := range in.Bindings {
			p.put(o, p.of(b))
		}
		p.flow(in, o)
	case *ssa.MakeInterface:
		if numbers(in.X.Type()) {
			p.flow(in, p.alloc(resultOf{in, 0}))
			return
		}
		p.flow(in, p.of(in.X))
	case *ssa.Phi:
		for _, e := range in.Edges {
			p.flow(in, p.of(e))
		}
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.TypeAssert, *ssa.SliceToArrayPointer, *ssa.Slice,
		*ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index, *ssa.Range:
		p.room = in.Operands(p.room[:0])
		p.flow(in.(ssa.Value), p.of(*p.room[0]))
	case *ssa.Extract:
		if c, ok := in.Tuple.(*ssa.Call); ok {
			p.flow(in, p.results[resultOf{c, in.Index}])
		} else {
			p.flow(in, p.of(in.Tuple))
		}
	case *ssa.Convert:
		p.convert(in)
	case *ssa.UnOp:
		switch in.Op {
		case token.MUL:
			p.reads |= p.of(in.X)
			p.flow(in, p.inside(p.of(in.X)))
		case token.ARROW:
			p.writes |= p.of(in.X)
			p.flow(in, p.inside(p.of(in.X)))
		}
	case *ssa.Store:
		p.writes |= p.of(in.Addr)
		p.store(p.of(in.Addr), in.Val)
	case *ssa.MapUpdate:
		p.writes |= p.of(in.Map)
		p.store(p.of(in.Map), in.Key)
		p.store(p.of(in.Map), in.Value)
	case *ssa.Send:
		p.writes |= p.of(in.Chan)
		p.store(p.of(in.Chan), in.X)
	case *ssa.Select:
		for _, s := range in.States {
			p.writes |= p.of(s.Chan)
			if s.Send != nil {
				p.store(p.of(s.Chan), s.Send)
			} else {
				p.flow(in, p.inside(p.of(s.Chan)))
			}
		}
	case *ssa.Lookup:
		p.reads |= p.of(in.X)
		p.flow(in, p.inside(p.of(in.X)))
	case *ssa.Next:
		p.reads |= p.of(in.Iter)
		p.flow(in, p.inside(p.of(in.Iter)))
	case *ssa.Return:
		for i, r := range in.Results {
			p.returns[i] |= p.of(r)
		}
	case *ssa.Panic:
		p.escape(p.of(in.X))
	case ssa.CallInstruction:
		p.call(in)
	case *ssa.BinOp, *ssa.DebugRef, *ssa.If, *ssa.Jump, *ssa.RunDefers:
	default: // MultiConvert
		for _, o := range in.Operands(nil) {
			p.escape(p.of(*o))
		}
		if v, ok := in.(ssa.Value); ok {
			p.flow(v, elsewhere)
		}
	}
}

// store notes that x is stored in the objects of to.
func (p *paramFlow) store(to objects, x ssa.Value) {
	if !numbers(x.Type()) {
		p.put(to, p.of(x))
	}
}

func (p *paramFlow) convert(in *ssa.Convert) {
	x := p.of(in.X)
	switch to := in.Type().Underlying().(type) {
	case *types.Slice: // of a string, or of a slice type
		if isSlice(in.X.Type()) {
			p.flow(in, x)
		} else {
			p.flow(in, p.alloc(resultOf{in, 0}))
		}
	case *types.Basic:
		switch {
		case to.Info()&types.IsString != 0:
			p.reads |= x
		case to.Kind() == types.UnsafePointer:
			p.flow(in, x)
			if numbers(in.X.Type()) {
				p.flow(in, elsewhere)
			}
		default:
			p.escape(x) // a pointer becomes a number
		}
	default:
		p.flow(in, x)
	}
}

func (p *paramFlow) call(in ssa.CallInstruction) {
	c := in.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		p.builtin(in, c, b.Name())
		return
	}
	_, task := in.(*ssa.Go)
	f := c.StaticCallee()
	if f != nil && !task {
		f = p.a.prog.bodyOr(f)
		if k := p.a.contractOf(f); k != nil && c.Value == ssa.Value(f) {
			p.apply(in, k)
			return
		}
	}
	for _, a := range c.Args {
		p.escape(p.of(a))
	}
	if f == nil || c.Value != ssa.Value(f) {
		p.escape(p.of(c.Value)) // a closure, or the receiver of an interface's method
	}
	p.reads, p.writes = p.reads|elsewhere, p.writes|elsewhere
	p.result(in, -1, elsewhere)
}

// apply executes a call under a contract.
func (p *paramFlow) apply(in ssa.CallInstruction, k *contract) {
	args := in.Common().Args
	if k.elsewhere {
		p.reads, p.writes = p.reads|elsewhere, p.writes|elsewhere
	}
	for i, a := range args {
		x := p.reachable(p.of(a))
		if x == 0 {
			continue
		}
		use := pointsto.Keeps
		if i < len(k.Params) {
			use = k.Params[i]
		}
		if use&pointsto.Keeps != 0 {
			p.escape(x)
		}
		if use&pointsto.Reads != 0 {
			p.reads |= x
		}
		if use&pointsto.Writes != 0 {
			p.writes |= x
		}
		if use&pointsto.Stores != 0 {
			p.put(x, x|elsewhere)
		}
	}
	for j := range in.Common().Signature().Results().Len() {
		if j >= len(k.Results) || !k.Results[j].Known {
			p.result(in, j, elsewhere)
			continue
		}
		for i, a := range args {
			if k.Results[j].From>>i&1 != 0 {
				p.result(in, j, p.reachable(p.of(a)))
			}
		}
		if v := in.Value(); v != nil && k.Results[j].Fresh {
			o := p.alloc(resultOf{v, j})
			switch {
			case k.Results[j].Deep:
				p.put(o, p.alloc(resultOf{v, -1 - j}))
			case !pureBytes(in.Common().Signature().Results().At(j).Type()):
				p.put(o, elsewhere)
			}
			p.result(in, j, o)
		}
	}
}

// result adds objects to the n-th result of a call, or to all if n is negative.
func (p *paramFlow) result(in ssa.CallInstruction, n int, s objects) {
	v := in.Value()
	if v == nil {
		return
	}
	results := in.Common().Signature().Results()
	if results.Len() == 1 {
		p.flow(v, s)
		return
	}
	for j := range results.Len() {
		r := resultOf{v, j}
		if old := p.results[r]; (n < 0 || j == n) && old|s != old {
			p.results[r] = old | s
			p.changed = true
		}
	}
}

func (p *paramFlow) builtin(in ssa.CallInstruction, c *ssa.CallCommon, name string) {
	arg := func(i int) objects { return p.of(c.Args[i]) }
	v, _ := in.(ssa.Value)
	switch name {
	case "append":
		p.writes |= arg(0)
		p.reads |= arg(0)
		var o objects
		if v != nil {
			o = p.alloc(resultOf{v, 0})
			p.flow(v, o|arg(0))
		}
		if len(c.Args) > 1 && isSlice(c.Args[1].Type()) {
			p.reads |= arg(1)
		}
		if t := c.Args[0].Type().Underlying().(*types.Slice).Elem(); !numbers(t) {
			x := p.inside(arg(0))
			if len(c.Args) > 1 {
				x |= p.inside(arg(1))
			}
			p.put(o|arg(0), x)
		}
	case "copy":
		p.writes |= arg(0)
		if isSlice(c.Args[1].Type()) {
			p.reads |= arg(1)
		}
		if s, ok := c.Args[0].Type().Underlying().(*types.Slice); ok && !numbers(s.Elem()) {
			p.put(arg(0), p.inside(arg(1)))
		}
	case "clear", "delete", "close":
		p.writes |= arg(0)
	case "len", "cap":
		p.reads |= arg(0)
	case "min", "max", "real", "imag", "complex", "ssa:deferstack":
	case "print", "println":
	case "ssa:wrapnilchk", "Slice", "SliceData", "Add":
		if v != nil {
			p.flow(v, arg(0))
		}
	case "String": // the bytes of a string do not change, and reading them is no access
		p.reads |= arg(0)
	default: // recover, StringData
		for i := range c.Args {
			p.escape(arg(i))
		}
		if v != nil {
			p.flow(v, elsewhere)
		}
	}
}
