package ssapass

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"taskinstr/ssapass/instrs"
)

// Reach holds the functions that may run, by rapid type analysis. A function may run
// once it is called or used as a value. A method may run once an interface may hold its
// type, or a type in which reflection finds its type, and an interface method with its
// name and signature is called. Rapid type analysis proper does not count uses as
// values. Reach counts them, since the runtime calls functions that it receives
// (timers, finalizers, tasks).
type Reach struct {
	prog  *ssa.Program
	funcs []*ssa.Function
	seen  map[*ssa.Function]bool

	taken    []*ssa.Function // functions used as values
	isTaken  map[*ssa.Function]bool
	bySig    typeutil.Map // *[]*ssa.Function: functions used as values, by signature
	methods  map[string][]*method
	invoked  map[string]bool // ids of methods that interface calls name
	runtime  typeutil.Map    // types that interfaces may hold
	byMethod bool            // reflection may call any exported method

	handed  *handed                // of a unit; otherwise nil
	models  *models                // of a unit; otherwise nil
	entered []*ssa.Function        // entries of a unit; see enterUnit
	isEntry map[*ssa.Function]bool // of entered
	work    []*ssa.Function
	links   *links

	// What Unknown found so far.
	bySigKnown    map[*[]*ssa.Function]*candidates
	byMethodKnown map[*types.Func]*candidates
	byIDKnown     map[string][]*candidates // by the id of the method
}

// A method is a method of a type that an interface may hold.
type method struct {
	sel *types.Selection
	fn  *ssa.Function // nil until it may run
}

func (p *Program) reach() *Reach {
	r := &Reach{
		prog: p.SSA, seen: map[*ssa.Function]bool{}, isTaken: map[*ssa.Function]bool{},
		methods: map[string][]*method{}, invoked: map[string]bool{}, isEntry: map[*ssa.Function]bool{}, links: &p.links,
		bySigKnown: map[*[]*ssa.Function]*candidates{}, byMethodKnown: map[*types.Func]*candidates{}, byIDKnown: map[string][]*candidates{},
	}
	for _, f := range p.entries {
		r.take(f)
	}
	if p.unit != nil {
		r.handed, r.models = newHanded(p.unit), p.unit.models
	}
	for _, pkg := range p.Packages {
		s := p.SSA.Package(pkg.Types)
		if s == nil {
			continue
		}
		if f := s.Func("init"); f != nil && !opaque(pkg.PkgPath) {
			r.add(f)
		}
	}
	for _, s := range p.Mains {
		if f := s.Func("main"); f != nil {
			r.add(f)
		}
	}
	switch {
	case p.unit != nil:
		r.enterUnit(p)
	case len(p.Mains) == 0: // in a library, everything is an entry
		for _, pkg := range p.Initial {
			r.library(p.SSA.Package(pkg.Types))
		}
	}
	r.drain()
	return r
}

// drain visits the functions that were added, until none is left.
func (r *Reach) drain() {
	for f := range drain(&r.work) {
		r.visit(f)
	}
}

// library adds all functions and methods of a package.
func (r *Reach) library(s *ssa.Package) {
	for _, m := range s.Members {
		switch m := m.(type) {
		case *ssa.Function:
			if m.TypeParams().Len() == 0 {
				r.take(m)
			}
		case *ssa.Type:
			if n, ok := m.Type().(*types.Named); ok && n.TypeParams().Len() > 0 || types.IsInterface(m.Type()) {
				continue
			}
			ms := r.prog.MethodSets.MethodSet(types.NewPointer(m.Type()))
			for i := range ms.Len() {
				if f := r.prog.MethodValue(ms.At(i)); f != nil {
					r.take(f)
				}
			}
		}
	}
}

// add notes that f may run.
func (r *Reach) add(f *ssa.Function) {
	if r.seen[f] {
		return
	}
	r.seen[f] = true
	r.funcs = append(r.funcs, f)
	r.work = append(r.work, f)
	if f.Blocks == nil { // foreign generic code may use its type arguments as any code may
		for _, t := range f.TypeArgs() {
			r.held(t, true)
			r.handed.add(t)
		}
	}
}

// take notes that f is used as a value.
func (r *Reach) take(f *ssa.Function) {
	if r.isTaken[f] {
		return
	}
	r.isTaken[f] = true
	r.taken = append(r.taken, f)
	// A method of a library counts as taken since anybody may call it, but it is not a
	// function value: comparing its signature without the receiver would be wrong.
	if f.Signature.Recv() == nil {
		l, _ := r.bySig.At(f.Signature).(*[]*ssa.Function)
		if l == nil {
			l = new([]*ssa.Function)
			r.bySig.Set(f.Signature, l)
		}
		*l = append(*l, f)
	}
	r.add(f)
}

func (r *Reach) visit(f *ssa.Function) {
	if f.Pkg != nil && f.Pkg.Pkg.Path() == "reflect" && (f.Name() == "Method" || f.Name() == "MethodByName") && !r.byMethod {
		r.byMethod = true
		for _, l := range r.methods {
			for _, m := range l {
				if m.sel.Obj().Exported() {
					r.run(m)
				}
			}
		}
	}
	if b := r.links.bodies[f]; b != nil {
		r.add(b)
	}
	r.models.replace(f)
	var buf [10]*ssa.Value
	for in := range instrs.Of(f) {
		if _, ok := in.(*ssa.DebugRef); ok {
			continue
		}
		ops := in.Operands(buf[:0])
		if c, ok := in.(ssa.CallInstruction); ok {
			cc := c.Common()
			if cc.IsInvoke() {
				r.invoke(cc.Method)
			} else if callee := cc.StaticCallee(); callee != nil {
				r.add(callee)
				if _, ok := cc.Value.(*ssa.Function); ok {
					ops = in.Operands(buf[:0])[1:]
				}
			}
		}
		for _, o := range ops {
			if g, ok := (*o).(*ssa.Function); ok {
				if m, ok := in.(*ssa.MakeClosure); ok && m.Fn == g && !calledOnly(m) {
					r.take(g)
					continue
				} else if ok && m.Fn == g {
					r.add(g)
					continue
				}
				r.take(g)
			}
		}
		if m, ok := in.(*ssa.MakeInterface); ok {
			r.held(m.X.Type(), false)
			if r.models.stays(m) {
				continue
			}
		}
		r.handed.conversion(in)
	}
}

// calledOnly reports whether all uses of the closure are direct calls.
func calledOnly(m *ssa.MakeClosure) bool {
	for u := range instrs.Uses(m) {
		switch u := u.(type) {
		case ssa.CallInstruction:
			if u.Common().Value != m {
				return false
			}
			for _, a := range u.Common().Args {
				if a == m {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

func (r *Reach) invoke(m *types.Func) {
	id := m.Id()
	if r.invoked[id] {
		return
	}
	r.invoked[id] = true
	for _, m := range r.methods[id] {
		r.run(m)
	}
}

func (r *Reach) run(m *method) {
	if m.fn == nil {
		m.fn = r.prog.MethodValue(m.sel)
		if m.fn != nil {
			r.add(m.fn)
		}
	}
}

// held notes that interfaces may hold values of type t, and of the types that
// reflection finds in t.
func (r *Reach) held(t types.Type, inner bool) {
	if r.runtime.At(t) != nil {
		return
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return
	}
	r.runtime.Set(t, true)
	if !types.IsInterface(t) {
		ms := r.prog.MethodSets.MethodSet(t)
		for i := range ms.Len() {
			m := &method{sel: ms.At(i)}
			id := m.sel.Obj().(*types.Func).Id()
			r.methods[id] = append(r.methods[id], m)
			if r.invoked[id] || r.byMethod && m.sel.Obj().Exported() {
				r.run(m)
			}
		}
	}
	for u := range parts(t.Underlying()) {
		r.held(u, true)
	}
	// reflect.New(t) and reflect.PointerTo(t) give access to the methods of *t.
	if n, ok := types.Unalias(t).(*types.Named); ok && inner && !types.IsInterface(n) {
		r.held(types.NewPointer(n), true)
	}
}

// Unknown returns the functions that a dynamic call may run if its operand comes from
// external code: functions with its signature that are used as values, or methods of
// all types that interfaces may hold.
func (r *Reach) Unknown(c *ssa.CallCommon) []*ssa.Function { return r.candidates(c).list }

// A candidates is a list of functions that some dynamic calls may run. Programs have
// thousands of calls of a method such as String, and thousands of types with that method,
// so these calls share one list.
type candidates struct {
	typ  types.Type // of the method
	list []*ssa.Function
	has  map[*ssa.Function]bool // the functions of list; nil before the first use
}

var noCandidates = new(candidates)

// includes reports whether all functions of the list are candidates.
func (k *candidates) includes(list []*ssa.Function) bool {
	if len(list) > len(k.list) {
		return false
	}
	if k.has == nil {
		k.has = make(map[*ssa.Function]bool, len(k.list))
		for _, f := range k.list {
			k.has[f] = true
		}
	}
	for _, f := range list {
		if !k.has[f] {
			return false
		}
	}
	return true
}

// candidates returns the functions that Unknown returns. The functions that may run are
// known.
func (r *Reach) candidates(c *ssa.CallCommon) *candidates {
	if !c.IsInvoke() {
		l, _ := r.bySig.At(c.Signature()).(*[]*ssa.Function)
		if l == nil {
			return noCandidates
		}
		k := r.bySigKnown[l]
		if k == nil || len(k.list) != len(*l) {
			k = &candidates{list: slices.Clip(*l)}
			r.bySigKnown[l] = k
		}
		return k
	}
	if k := r.byMethodKnown[c.Method]; k != nil {
		return k
	}
	id := c.Method.Id()
	for _, k := range r.byIDKnown[id] { // interfaces share methods
		if types.Identical(k.typ, c.Method.Type()) {
			r.byMethodKnown[c.Method] = k
			return k
		}
	}
	k := &candidates{typ: c.Method.Type()}
	for _, m := range r.methods[id] {
		if m.fn != nil && types.Identical(m.sel.Obj().Type(), k.typ) {
			k.list = append(k.list, m.fn)
		}
	}
	k.list = slices.Clip(k.list)
	r.byMethodKnown[c.Method] = k
	r.byIDKnown[id] = append(r.byIDKnown[id], k)
	return k
}
