package ssapass

import (
	"go/token"
	"go/types"
	"math/bits"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/pace"
	"taskinstr/internal/site"
	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

// A paramFlow computes the contract of a function (pointsto.Contract): how it treats the
// memory that its parameters lead to, and the free variables of a closure. It is a points-to
// analysis of this one function, inclusion-based and flow-insensitive, that knows few objects:
// for each parameter one for the memory to which it points and one for everything that
// pointers in this memory lead to, one for each allocation, and one, elsewhere, for all other
// memory. An object is one bit of a word, and all pointers in an object have one set. Callees have contracts, too: functions of the unit in the order of the call
// graph, others by their facts. A call without a contract keeps all that it gets.
//
// The contract is weaker than the sets where two parameters may lead to memory that both
// modify: a pointer that is stored in the memory of another parameter, or in
// new memory, counts as kept.
type paramFlow struct {
	a       *Analysis
	f       *ssa.Function
	params  []ssa.Value // the parameters of f, and behind them its free variables
	sets    map[ssa.Value]objects
	results map[resultOf]objects // of calls with several results
	content [objectBits]objects
	made    map[resultOf]objects // the objects of allocations and of calls with fresh results
	next    int                  // the next free object
	returns []objects
	reads   objects
	writes  objects
	stores  objects
	calls   objects // memory that leads to functions that f calls
	closure objects // memory of closures that f makes
	unsafe  objects // memory in which f may compute addresses by package unsafe
	changed bool
	room    []*ssa.Value // for the operands of an instruction
}

// objects is a set of objects.
type objects uint64

const (
	objectBits           = 64
	elsewhere    objects = 1
	lastObject           = objectBits - 1 // shared by the allocations for which no other bit is left
	maxFlow              = 24             // parameters and free variables of a function with a contract
	maxFlowSteps         = 40             // visits of a function until its sets must be stable
)

type resultOf struct {
	call ssa.Value
	n    int
}

// direct returns the object of the memory to which parameter i points.
func direct(i int) objects { return 1 << (1 + i) }

// typeOf returns the type of parameter i, or of the value of a free variable that is only read.
func (p *paramFlow) typeOf(i int) types.Type {
	if v, ok := p.params[i].(*ssa.FreeVar); ok && onlyRead(v) {
		return site.Elem(v.Type())
	}
	return p.params[i].Type()
}

// inner returns the object of all memory to which pointers in direct(i) lead.
func (p *paramFlow) inner(i int) objects { return 1 << (1 + len(p.params) + i) }

// findContracts computes the contracts of the functions with bodies, callees first.
func (a *Analysis) findContracts() {
	a.contracts = map[*ssa.Function]*contract{}
	p := new(paramFlow)
	for _, scc := range a.order {
		pace.Step()
		for _, f := range scc {
			if n := len(f.Params) + len(f.FreeVars); len(f.Blocks) > 0 && n <= maxFlow {
				a.contracts[f] = &contract{Contract: pointsto.Contract{
					Params: make([]pointsto.Use, n), Results: noSources(f.Signature.Results()),
				}}
			}
		}
		for round, again := 0, true; again; round++ { // from the least contracts upwards
			again = false
			for _, f := range scc {
				switch k := a.contracts[f]; {
				case k == nil:
				case comparesItself(f):
					k.Params[0] = pointsto.Reads | pointsto.Writes
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
	// read has the free variables that are only read, bit i for Params[i]: instead of the memory of such a
	// variable, the contract tells the uses of the memory to which its value points.
	read objects
	// inner has the parameters, bit i for Params[i], to whose direct memory no result has a pointer, although one may have
	// pointers to the inner memory (Source.From).
	inner uint32
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
	params := p.params[:0]
	for _, x := range f.Params {
		params = append(params, x)
	}
	for _, x := range f.FreeVars {
		params = append(params, x)
	}
	*p = paramFlow{
		a: a, f: f, params: params, sets: p.sets, results: p.results, made: p.made, room: p.room,
		next: 1 + 2*len(params), returns: make([]objects, f.Signature.Results().Len()),
	}
}

// flowOf computes the contract of f from those of its callees. It reports whether the
// contract grew.
func (p *paramFlow) flowOf(a *Analysis, f *ssa.Function, k *contract) bool {
	p.begin(a, f)
	p.content[0] = elsewhere
	for i, x := range p.params {
		t := p.typeOf(i)
		if numbers(t) {
			continue
		}
		p.content[1+i], p.content[1+len(p.params)+i] = p.inner(i), p.inner(i)
		if t == x.Type() {
			p.sets[x] = direct(i)
			continue
		}
		k.read |= 1 << i
		variable := p.alloc(resultOf{x, 0})
		p.sets[x] = variable
		p.content[bits.TrailingZeros64(uint64(variable))] = direct(i)
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
	var returned objects
	for _, r := range p.returns {
		returned |= r
	}
	k.inner = ^uint32(returned >> 1) // see direct
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
	for i := range p.params {
		inside := p.reachable(p.content[1+i])
		l.kept |= inside &^ (direct(i) | p.inner(i)) // stored in the memory of another parameter
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
		if o > 2*len(p.params) { // importers do not see which pointers new memory holds, so their targets count as kept
			inside := p.reachable(p.content[o])
			l.kept |= inside
			l.surviving |= inside
		}
	}
	// Memory of a parameter in which pointers to new memory are stored leads to the parameter
	// by a way that importers do not see if that new memory leads back.
	for i := range p.params {
		for rest := p.reachable(p.content[1+i]) &^ p.old(); rest != 0; rest &= rest - 1 {
			l.kept |= p.reachable(p.content[bits.TrailingZeros64(uint64(rest))])
		}
	}
	return l
}

// paramsIn returns the parameters with an object in s, bit i for parameter i.
func (p *paramFlow) paramsIn(s objects) objects {
	n := len(p.params)
	return (s>>1 | s>>(1+n)) & (1<<n - 1)
}

// old returns the objects that exist before the call: the parameters' objects, and elsewhere.
func (p *paramFlow) old() objects { return 1<<(1+2*len(p.params)) - 1 }

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
		s.Known = s.Known && r&(elsewhere|^old) == 0
	}
	if !s.Known {
		s.Fresh, s.From, s.Deep = false, 0, false
		return false
	}
	s.Fresh = s.Fresh || r&^old != 0
	s.From |= uint32(p.paramsIn(r))
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
	for i := range p.params {
		x, use := direct(i)|p.inner(i), pointsto.Use(0)
		content := p.reachable(p.content[1+i])
		stores := p.stores&x != 0
		// whole: the contract cannot tell direct(i) from inner(i).
		whole := stores && content&direct(i) != 0 || p.unsafe&direct(i) != 0 || !leads(p.typeOf(i))
		switch {
		case kept&x == 0 && !stores:
		case kept&x == 0 && content&^x == 0 && whole:
			use |= pointsto.Links
		case kept&x == 0 && content&^x == 0:
			use |= pointsto.Moves
		case kept&direct(i) != 0 || whole:
			use |= pointsto.Keeps
		case stores:
			use |= pointsto.Stores
		default:
			use |= pointsto.KeepsInner
		}
		if p.calls&x != 0 {
			use |= pointsto.Calls
		}
		if p.reads&x != 0 {
			use |= pointsto.Reads
		}
		if (p.writes|p.stores)&x != 0 {
			use |= pointsto.Writes
		}
		k.Params[i] |= use
	}
}

// leads reports whether a value of type t is a pointer to memory whose parts the type tells.
func leads(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan:
		return true
	}
	return false
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
	case *ssa.Const, *ssa.Builtin:
		return 0
	case *ssa.Global, *ssa.Function:
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
	if x == 0 {
		return
	}
	n, both := len(p.params), p.paramsIn(to) // pointers of a parameter's memory may lead back to it
	to |= both<<1 | both<<(1+n)
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
		p.closure |= o
		for _, b := range in.Bindings {
			p.put(o, p.of(b))
		}
		p.flow(in, o)
	case *ssa.MakeInterface:
		if site.IsPointer(in.X.Type()) {
			p.flow(in, p.of(in.X))
			return
		}
		box := p.alloc(resultOf{in, 0})
		p.put(box, p.of(in.X))
		p.flow(in, box)
	case *ssa.Phi:
		for _, e := range in.Edges {
			p.flow(in, p.of(e))
		}
	case *ssa.TypeAssert:
		p.flow(in, p.of(in.X))
		if !site.IsPointer(in.AssertedType) && !types.IsInterface(in.AssertedType) {
			p.flow(in, p.inside(p.of(in.X))) // the interface holds a box
		}
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.SliceToArrayPointer, *ssa.Slice,
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
			p.unsafe |= x
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
		args := c.Args
		closure, _ := c.Value.(*ssa.MakeClosure)
		if closure != nil {
			args = slices.Concat(args, closure.Bindings)
		}
		if k := p.a.contractOf(f); k != nil && (closure != nil || c.Value == ssa.Value(f)) {
			p.apply(in, args, k)
			return
		}
	}
	for _, a := range c.Args {
		p.escape(p.of(a))
	}
	switch {
	case f == nil && !task && !c.IsInvoke():
		p.enter(p.of(c.Value))
	case f == nil || c.Value != ssa.Value(f):
		p.escape(p.of(c.Value)) // a closure, or the receiver of an interface's method
	}
	p.reads, p.writes = p.reads|elsewhere, p.writes|elsewhere
	p.result(in, -1, elsewhere)
}

// enter notes that f, or a callee, calls functions of s in the same task.
func (p *paramFlow) enter(s objects) {
	p.calls |= s
	p.escape(s & p.closure)
	p.reads, p.writes = p.reads|elsewhere, p.writes|elsewhere
}

// apply executes a call under a contract. The values of a closure stand behind the arguments.
func (p *paramFlow) apply(in ssa.CallInstruction, args []ssa.Value, k *contract) {
	if k.elsewhere {
		p.reads, p.writes = p.reads|elsewhere, p.writes|elsewhere
	}
	for i, a := range args {
		own := p.argument(a, i, k)
		x, inner := p.reachable(own), p.reachable(p.inside(own))
		if x == 0 {
			continue
		}
		use := pointsto.Keeps
		if i < len(k.Params) {
			use = k.Params[i]
		}
		switch {
		case use&pointsto.Keeps != 0:
			p.escape(x)
		case use&(pointsto.KeepsInner|pointsto.Stores) != 0:
			p.escape(inner)
		}
		if use&pointsto.Calls != 0 {
			p.enter(x)
		}
		if use&pointsto.Reads != 0 {
			p.reads |= x
		}
		if use&pointsto.Writes != 0 {
			p.writes |= x
		}
		switch {
		case use&pointsto.Links != 0:
			p.put(x, x)
		case use&pointsto.Stores != 0:
			p.put(own, inner|elsewhere)
		case use&pointsto.Moves != 0:
			p.put(x, inner)
		}
	}
	for j := range in.Common().Signature().Results().Len() {
		if j >= len(k.Results) || !k.Results[j].Known {
			p.result(in, j, elsewhere)
			continue
		}
		for i, a := range args {
			if k.Results[j].From>>i&1 != 0 {
				p.result(in, j, p.reachable(p.argument(a, i, k)))
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

// argument returns the objects to which argument i of a call points, or the value of a variable of a closure that
// is only read.
func (p *paramFlow) argument(v ssa.Value, i int, k *contract) objects {
	s := p.of(v)
	if k.read>>i&1 != 0 {
		p.reads |= s
		return p.inside(s)
	}
	return s
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
		if name == "Slice" || name == "Add" {
			p.unsafe |= arg(0)
		}
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
