package pointsto

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/pace"
	"taskinstr/ssapass/instrs"
)

// A Config is the program to analyse.
type Config struct {
	Prog  *ssa.Program
	Funcs []*ssa.Function // the functions that may run
	// Callees returns the callees of a dynamic call as far as the call graph has them.
	// Unknown returns the functions that the call may run besides, when its operand
	// comes from external code.
	Callees func(ssa.CallInstruction) []*ssa.Function
	Unknown func(*ssa.CallCommon) []*ssa.Function
	// Entries are the functions that external code calls, with arguments of its own.
	Entries []*ssa.Function
	// Body returns the function that go:linkname makes the body of a function declared
	// without one, or nil.
	Body func(*ssa.Function) *ssa.Function
	// Foreign and Open are nil unless Funcs are a part of the program. Foreign reports
	// whether a function without body is Go code of the other part: such code may keep
	// and change everything that its arguments reach. Open reports whether that code
	// names a package-level variable.
	Foreign func(*ssa.Function) bool
	Open    func(*ssa.Global) bool
	// Contract returns the contract of a foreign function, if it has one; it may be nil.
	Contract func(*ssa.Function) (Contract, bool)
	// Ordered: external code has checks, so that a task which gets a pointer from there without order has a race
	// on the pointer. Objects that external code gets as results alone do not escape; see returned.go.
	Ordered bool
	// Opaque reports whether values of the type stand for values of any type: they are unknown,
	// the zero value too, and their methods are external code. It may be nil.
	Opaque func(types.Type) bool
	// Clone reports whether the analysis distinguishes the callers of a function. It is
	// meant for small functions that return the memory they allocate.
	Clone func(*ssa.Function) bool
}

// A Result holds the points-to sets of a program.
type Result struct {
	Objects []Object
	// UnknownCalls are the dynamic calls that may run functions beyond Config.Callees.
	// The result includes the functions of Config.Unknown as their callees.
	UnknownCalls map[ssa.CallInstruction]bool
	// Gaps are the calls of UnknownCalls whose operand points to a function that
	// Config.Callees does not return. The operands of the other calls come from
	// external code.
	Gaps map[ssa.CallInstruction]bool
	// EscapedFuncs are the functions that external code may call, in any task.
	EscapedFuncs map[*ssa.Function]bool

	g *generator
	Stats
}

// Stats has the sizes of an analysis.
type Stats struct {
	Nodes, Objects, Instances, Escaped, Constraints int
}

// An instance is a function in one calling context.
type instance struct {
	fn      *ssa.Function
	vals    map[ssa.Value]uint32 // values with pointers
	results uint32
	clones  map[ssa.CallInstruction]*instance // instances of static callees that have one of their own
	anon    map[*ssa.Function]*instance
	depth   int
}

type goStatement struct {
	in   *instance
	site *ssa.Go
}

type generator struct {
	Config
	opaques map[*ssa.Function]bool // whether functions with type arguments have opaque ones
	*solver
	res     *Result
	insts   map[*ssa.Function][]*instance
	common  map[*ssa.Function]*instance
	outer   map[*ssa.Function]*instance // of the calls of entries by external code, if the program calls them, too
	tasks   []goStatement
	order   []*instance
	globals map[ssa.Value]uint32 // nodes that hold the address of a global or function
	calls   []pendingCall        // the dynamic calls; a constraint of kind unknown has an index of this list
	hubs    map[string]*hub
	cloned  int // instructions in all clones so far
}

type pendingCall struct {
	in   *instance
	site ssa.CallInstruction
	done bool
}

// Analyze computes the points-to sets of the program.
func Analyze(c Config) *Result {
	g := &generator{
		Config: c, opaques: map[*ssa.Function]bool{},
		solver: &solver{ls: newLayouts(), methodKeys: map[int32]bool{}, dataTypes: map[types.Type]bool{}},
		insts:  map[*ssa.Function][]*instance{}, common: map[*ssa.Function]*instance{}, outer: map[*ssa.Function]*instance{},
		globals: map[ssa.Value]uint32{}, hubs: map[string]*hub{},
	}
	g.res = &Result{g: g, UnknownCalls: map[ssa.CallInstruction]bool{}, Gaps: map[ssa.CallInstruction]bool{}, EscapedFuncs: map[*ssa.Function]bool{}}
	instrs := 0
	for _, f := range c.Funcs {
		for _, b := range f.Blocks {
			instrs += len(b.Instrs)
		}
	}
	g.grow(max(minNodes, instrs/10*nodesOfTen))
	g.nodes(uint32(firstNode))
	g.unk[unkNode] = true
	g.unsafe = g.ls.key(types.Typ[types.UnsafePointer])
	g.onUnknown = g.unknownCall
	g.onEscape = g.escapedObject
	g.noteMethods(c.Funcs)
	g.instances()
	if c.Opaque == nil {
		g.Opaque = func(types.Type) bool { return false }
	}
	for i := 0; i < len(g.order); i++ {
		pace.Step()
		g.function(g.order[i])
	}
	for _, f := range c.Entries {
		g.enteredExternally(f)
	}
	if c.Foreign != nil { // external code may recover the values of panics
		g.copy(escNode, panicNode)
	}
	g.solve()
	for g.missed() || g.remembered() {
		g.solve()
	}
	r := g.res
	r.Stats = Stats{Nodes: len(g.rep), Objects: len(g.objs), Instances: len(g.order)}
	g.finish()
	r.Objects = g.objs
	for i := range g.objs {
		if g.objs[i].Escaped {
			r.Stats.Escaped++
		}
	}
	return r
}

// nodesOfTen is the number of nodes that ten instructions have. Room for all nodes at once
// spares most programs the copies of growing columns, which are most of the memory of an
// analysis at that time.
const nodesOfTen = 8

// finish frees everything that no question about the result needs.
func (g *generator) finish() {
	g.solver.finish()
	for _, in := range g.order {
		in.clones, in.anon = nil, nil
	}
	g.ls = newLayouts()
	g.ls.bare = true
	g.calls, g.hubs, g.order, g.common, g.outer, g.tasks, g.Config = nil, nil, nil, nil, nil, nil, Config{}
}

// missed links each dynamic call whose operand points to a function that the call graph
// does not have as a callee, for instance through a function that go:linkname joins. It
// reports whether it linked any.
func (g *generator) missed() bool {
	found := false
	for i := range g.calls {
		p := &g.calls[i]
		if p.done {
			continue
		}
		cc := p.site.Common()
		n := g.val(p.in, cc.Value)
		if n == noNode {
			continue
		}
		callees := g.Callees(p.site)
		gap := false
		g.pts[g.find(n)].Each(func(c uint32) {
			o := g.object[c]
			if o < 0 {
				return
			}
			if cc.IsInvoke() {
				gap = gap || len(callees) == 0
			} else if f := g.objs[o].Fn; g.objs[o].Kind == Func && !slices.Contains(callees, f) {
				gap = true
			}
		})
		if gap {
			g.res.Gaps[p.site] = true
			g.unknownCall(uint32(i))
			found = true
		}
	}
	return found
}

// Limits of cloning, in instructions and in depth of calls.
const (
	cloneInstrs = 150    // of one function
	cloneTotal  = 100000 // of all clones
	cloneDepth  = 3
)

// instances makes the instances of all functions.
func (g *generator) instances() {
	inSet := make(map[*ssa.Function]bool, len(g.Funcs))
	for _, f := range g.Funcs {
		inSet[f] = true
	}
	for _, f := range g.Funcs {
		if f.Parent() == nil || !inSet[f.Parent()] {
			g.commonInstance(f)
		}
	}
	called := g.calledByName()
	for _, f := range g.Entries {
		if called[f] && g.outer[f] == nil && f.Blocks != nil {
			g.outer[f] = g.newInstance(f, 0)
		}
	}
	for i := 0; i < len(g.order); i++ {
		g.cloneCallees(g.order[i])
	}
	for _, f := range g.Funcs { // closures whose MakeClosure is in dead code
		g.commonInstance(f)
	}
}

// calledByName returns the functions that the program calls by their names.
func (g *generator) calledByName() map[*ssa.Function]bool {
	called := map[*ssa.Function]bool{}
	for in := range instrs.All(g.Funcs) {
		if c, ok := in.(ssa.CallInstruction); ok {
			if f := c.Common().StaticCallee(); f != nil {
				called[g.bodyOr(f)] = true
			}
		}
	}
	return called
}

func (g *generator) commonInstance(f *ssa.Function) *instance {
	if i := g.common[f]; i != nil {
		return i
	}
	i := g.newInstance(f, 0)
	g.common[f] = i
	return i
}

func (g *generator) newInstance(f *ssa.Function, depth int) *instance {
	i := &instance{fn: f, vals: map[ssa.Value]uint32{}, depth: depth}
	for _, p := range f.Params {
		g.val(i, p)
	}
	for _, p := range f.FreeVars {
		g.val(i, p)
	}
	if r := f.Signature.Results(); r.Len() > 0 {
		i.results = g.nodes(max(1, g.ls.of(r).width()))
	}
	g.insts[f] = append(g.insts[f], i)
	g.order = append(g.order, i)
	return i
}

// anonymous returns the instance of the function literal f in the context of instance
// in.
func (g *generator) anonymous(in *instance, f *ssa.Function) *instance {
	if in.depth == 0 && in != g.outer[in.fn] || f.Parent() != in.fn {
		return g.commonInstance(f)
	}
	if a := in.anon[f]; a != nil {
		return a
	}
	a := g.newInstance(f, in.depth)
	if in.anon == nil {
		in.anon = map[*ssa.Function]*instance{}
	}
	in.anon[f] = a
	return a
}

func (g *generator) cloneCallees(in *instance) {
	for i := range instrs.Of(in.fn) {
		switch i := i.(type) {
		case *ssa.MakeClosure:
			g.anonymous(in, i.Fn.(*ssa.Function))
		case ssa.CallInstruction:
			f := i.Common().StaticCallee()
			if f == nil || g.Clone == nil || f.Blocks == nil || in.depth >= cloneDepth || f == in.fn || f.Parent() != nil || !g.cloneable(f) {
				continue
			}
			g.cloned += size(f)
			if in.clones == nil {
				in.clones = map[ssa.CallInstruction]*instance{}
			}
			in.clones[i] = g.newInstance(f, in.depth+1)
		}
	}
}

func (g *generator) cloneable(f *ssa.Function) bool {
	return g.cloned < cloneTotal && size(f) <= cloneInstrs && g.Clone(f) && len(g.ls.of(f.Signature.Results()).ptr) > 0
}

func size(f *ssa.Function) (n int) {
	for _, b := range f.Blocks {
		n += len(b.Instrs)
	}
	for _, a := range f.AnonFuncs {
		n += size(a)
	}
	return n
}

// valueNodes makes the nodes of an SSA value of type t; it returns noNode for a type
// without pointers.
func (g *generator) valueNodes(t types.Type) uint32 {
	l := g.ls.of(t)
	if len(l.ptr) == 0 {
		return noNode
	}
	return g.nodes(l.width())
}

// val returns the first node of v in the context.
func (g *generator) val(in *instance, v ssa.Value) uint32 {
	switch v := v.(type) {
	case *ssa.Const:
		if types.IsInterface(v.Type()) && g.inOpaque(in.fn) {
			// It may be the zero value of an opaque type in an interface.
			n := g.valueNodes(v.Type())
			g.unknownValue(n, v.Type())
			return n
		}
		return noNode
	case *ssa.Builtin:
		return noNode
	case *ssa.Global, *ssa.Function:
		return g.static(v)
	}
	if n, ok := in.vals[v]; ok {
		return n
	}
	n := g.valueNodes(v.Type())
	if n != noNode { // most values have no pointers
		in.vals[v] = n
	}
	return n
}

// static returns the node that points to a global or function.
func (g *generator) static(v ssa.Value) uint32 {
	if n, ok := g.globals[v]; ok {
		return n
	}
	n := g.node()
	g.globals[v] = n
	switch v := v.(type) {
	case *ssa.Global:
		t := v.Type().Underlying().(*types.Pointer).Elem()
		o := g.newObject(Global, t, v, nil, g.ls.of(t))
		g.point(n, o.Base)
		if v.Pkg != nil && opaqueGlobal(v) || g.Open != nil && g.Open(v) {
			g.point(escNode, o.Base)
		}
	case *ssa.Function:
		o := g.newObject(Func, v.Signature, v, v, g.ls.headed(g.ls.key(v.Signature)))
		g.point(n, o.Base)
	}
	return n
}

// opaqueGlobal reports whether external code uses the variable in every program.
func opaqueGlobal(v *ssa.Global) bool { return v.Pkg.Pkg.Path() == "runtime" }

// enteredExternally notes that external code calls f: the parameters become unknown and
// the results are returned.
func (g *generator) enteredExternally(f *ssa.Function) {
	if g.res.EscapedFuncs[f] {
		return
	}
	g.res.EscapedFuncs[f] = true
	list := g.insts[f]
	if in := g.outer[f]; in != nil {
		list = []*instance{in}
	}
	for _, in := range list {
		for _, p := range f.Params {
			g.unknownValue(in.vals[p], p.Type())
		}
		if in.results != noNode {
			g.returnValue(in.results, f.Signature.Results())
		}
	}
}

func (g *generator) escapedObject(o *Object) {
	if o.Kind == Func {
		g.enteredExternally(o.Fn)
	}
}

// unknownValue makes all pointers of a value of type t unknown. The nodes of the value
// begin at n.
func (g *generator) unknownValue(n uint32, t types.Type) {
	if n == noNode {
		return
	}
	g.fill(n, t, unkNode)
}

// fill lets all pointers of a value of type t point to what node from points to. The nodes of the
// value begin at n.
func (g *generator) fill(n uint32, t types.Type, from uint32) {
	for _, o := range g.ls.of(t).ptr {
		g.copy(n+uint32(o), from)
	}
}

// escapeValue lets everything escape that a value of type t points to.
func (g *generator) escapeValue(n uint32, t types.Type) {
	if n == noNode {
		return
	}
	l := g.ls.of(t)
	for _, o := range l.ptr {
		g.copy(g.knower(l.key[o]), n+uint32(o))
	}
}

// assign adds the constraints of an assignment of a value of type t.
func (g *generator) assign(to, from uint32, t types.Type) {
	if to == noNode || from == noNode {
		return
	}
	for _, o := range g.ls.of(t).ptr {
		g.copy(to+uint32(o), from+uint32(o))
	}
}

// load adds the constraints of a load of type t from off cells behind the cells of p.
func (g *generator) load(to, p uint32, off int32, t types.Type) {
	if to == noNode || p == noNode {
		return
	}
	for _, o := range g.ls.of(t).ptr {
		g.constrain(p, constraint{kind: load, node: to + uint32(o), off: off + o})
	}
}

// store adds the constraints of a store of type t to off cells behind the cells of p.
func (g *generator) store(p uint32, off int32, from uint32, t types.Type) {
	if from == noNode || p == noNode {
		return
	}
	for _, o := range g.ls.of(t).ptr {
		g.constrain(p, constraint{kind: store, node: from + uint32(o), off: off + o})
	}
}
