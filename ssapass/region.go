package ssapass

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/pace"
	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

// A parallel region (the term of OpenMP) is the code that may run in parallel between
// two points at which the main task is alone. Everything in one region happens before
// everything in the next, so a write in one region cannot race with a read in another.
//
// Regions follow the calls of the main task. A function has a region of its own if the
// main task is alone when it calls the function and alone again when the function
// returns. If the function leaves tasks live, it belongs to the region of its caller.
// The functions that it calls while the main task is alone have regions of their own.
//
// A function has a region for each of its calling contexts, which differ in the
// functions that are passed as arguments. Here each(xs, f) and each(xs, g) are two
// regions:
//
//	each(xs, f) // reads memory that g writes
//	each(xs, g)
//
// A function with deferred calls belongs to the region of its caller as a whole, since a
// panic may run these calls while tasks are live. The functions of package testing are
// around all tests, so they keep regions of their own, and only their deferred calls count
// as running at any time.

// A region holds the memory that the code of a parallel region writes.
type region struct {
	written  writeSet
	external bool             // external code runs in it
	seen     map[context]bool // functions that run in it as a whole
	alone    map[context]bool // functions that the main task called alone and that leave tasks in the region
}

func newRegion() *region { return &region{seen: map[context]bool{}, alone: map[context]bool{}} }

type regions struct {
	a       *Analysis
	whole   map[*ssa.Function][]*region // regions of functions that run in them as a whole
	alone   map[*ssa.Function][]*region // regions of functions during which the main task is alone at times
	entered map[context]bool            // functions that have a region of their own

	anytime  map[*ssa.Function]bool // functions that may run beside any region
	anywhere writeSet               // memory that these functions write
	ids      map[*ssa.Function]int
	plain    map[*ssa.Function]*funcValue // function values without known free variables
	bodies   map[*ssa.Function]*body
	gaveUp   bool

	// What is left of visits, and of functions that calls may run; below 0 gaveUp is set.
	budget, targetBudget int
}

// A body holds the writes and the calls of a function, without the writes of its callees.
type body struct {
	written writeSet
	calls   []ssa.CallInstruction
}

// The visits of functions, and the functions that visited calls may run, are bounded.
const (
	regionSteps   = 30   // visits for each of the first functions of the program
	regionFirst   = 2000 // these functions
	regionMore    = 2    // visits for each of the others
	regionTargets = 10   // functions for each visit
	stepsToPace   = 2000 // least number of visits between two collections
)

// visits returns the bound of the visits in a program of n functions.
func visits(n int) int { return regionSteps*min(n, regionFirst) + regionMore*max(n-regionFirst, 0) }

// A funcValue is a function with the function values of its free variables.
type funcValue struct {
	fn   *ssa.Function
	free []*funcValue
	key  string // of free; see keys
}

// A frame is a function in a calling context: with the function values of its
// parameters, as far as they are known.
type frame struct {
	*funcValue
	params []*funcValue
}

// A context identifies a frame.
type context struct {
	fn   *ssa.Function
	keys string // of its free variables and parameters; "" if all are unknown
}

// WrittenBeside reports whether an access of the source in a region of the instruction
// may write memory at an address of s.
func (a *Analysis) WrittenBeside(in ssa.Instruction, s pointsto.Set) bool {
	if !a.WrittenInParallel(s) {
		return false
	}
	if a.orderedWithin(in, s) {
		return false
	}
	r, f := a.regions, in.Parent()
	list := slices.Concat(r.whole[f], r.alone[f])
	if r.gaveUp || r.anytime[f] || len(list) == 0 || r.anywhere.may(a.Points, s) {
		return true
	}
	for _, x := range list {
		if x.external || x.written.may(a.Points, s) {
			return true
		}
	}
	return false
}

// findRegions follows the calls of the main task of each program.
func (a *Analysis) findRegions() {
	r := a.newRegions()
	if len(a.prog.Mains) == 0 {
		r.gaveUp = true
		return
	}
	for _, f := range a.callbacks {
		r.runsAnytime(f)
	}
	for f := range a.leftByTests {
		r.runsAnytime(f)
	}
	for _, s := range a.prog.Mains {
		i, m := s.Func("init"), s.Func("main")
		if i == nil || m == nil || a.leavesTasks(i) {
			r.gaveUp = true
			return
		}
		outer := newRegion()
		r.enter(outer, frame{funcValue: r.value(i, nil)})
		r.enter(outer, frame{funcValue: r.value(m, nil)})
	}
	r.finish()
}

func (a *Analysis) newRegions() *regions {
	n := visits(len(a.prog.funcs))
	a.regions = &regions{
		a: a, whole: map[*ssa.Function][]*region{}, alone: map[*ssa.Function][]*region{}, entered: map[context]bool{},
		anytime: map[*ssa.Function]bool{}, ids: map[*ssa.Function]int{}, plain: map[*ssa.Function]*funcValue{}, bodies: map[*ssa.Function]*body{},
		budget: n, targetBudget: n * regionTargets,
	}
	return a.regions
}

// runsAnytime notes that f, with all functions that it calls and starts, may run at any
// time.
func (r *regions) runsAnytime(f *ssa.Function) {
	if r.anytime[f] {
		return
	}
	r.anytime[f] = true
	if b := r.a.prog.Body(f); b != nil {
		r.runsAnytime(b)
	}
	own := r.body(f)
	r.anywhere.add(&own.written)
	for _, c := range own.calls {
		for _, g := range r.a.run(c) {
			r.runsAnytime(g)
		}
		if startsByGo(c.Common()) {
			if g := closureOf(c.Common().Args[1]); g != nil {
				r.runsAnytime(g)
			}
		}
	}
}

// body returns the writes and the calls of f, which it collects once.
func (r *regions) body(f *ssa.Function) *body {
	own := r.bodies[f]
	if own == nil {
		own = &body{}
		r.bodies[f] = own
		for in := range instrs.Of(f) {
			r.a.writes(in, &own.written)
			if c, ok := in.(ssa.CallInstruction); ok {
				own.calls = append(own.calls, c)
			}
		}
	}
	return own
}

// enter visits a function that the main task calls while it is alone. Parameter outer
// is the region of the caller.
func (r *regions) enter(outer *region, f frame) {
	a := r.a
	switch {
	case !a.mayStart(f.fn):
		return // the main task stays alone
	case len(f.fn.Blocks) == 0 || len(a.defers(f.fn)) > 0 && !ofTesting(f.fn) || a.live[f.fn] == nil:
		r.run(outer, f)
		return
	}
	for _, d := range a.defers(f.fn) {
		list, external := a.Callees(d)
		outer.external = outer.external || external && !a.inInvocation()
		for _, g := range list {
			r.runsAnytime(g)
		}
	}
	k := r.context(f)
	x := outer // region of the tasks that f leaves
	seen := x.alone
	if !a.leavesTasks(f.fn) {
		x = newRegion()
		seen = r.entered
	}
	if seen[k] || !r.step() {
		return
	}
	seen[k] = true
	r.alone[f.fn] = append(r.alone[f.fn], x)
	for w, in := range a.walkFunc(f.fn, nil) {
		if c, ok := in.(ssa.CallInstruction); ok && !w.parallel() && a.inOrder(c) && !startsByGo(c.Common()) {
			for _, g := range r.targets(x, f, c) {
				r.enter(x, g)
			}
		} else {
			r.instr(x, f, in)
		}
	}
}

// mayStart reports whether f may leave the main task with other tasks beside it, for a while
// or when it returns.
func (a *Analysis) mayStart(f *ssa.Function) bool {
	if a.inInvocation() {
		return a.starters[f]
	}
	return a.Summary(f).Sync&(MaySpawn|CallsUnseen) != 0
}

// run adds the writes of a function, and of the tasks that it starts, to region x.
func (r *regions) run(x *region, f frame) {
	k := r.context(f)
	if x.seen[k] || !r.step() {
		return
	}
	x.seen[k] = true
	if list := r.whole[f.fn]; len(list) == 0 || list[len(list)-1] != x {
		r.whole[f.fn] = append(list, x)
	}
	if b := r.a.prog.Body(f.fn); b != nil {
		r.run(x, frame{r.value(b, nil), f.params})
	}
	own := r.body(f.fn)
	x.written.add(&own.written)
	for _, c := range own.calls {
		r.call(x, f, c)
	}
}

// instr adds the writes of the instruction to region x.
func (r *regions) instr(x *region, f frame, in ssa.Instruction) {
	r.a.writes(in, &x.written)
	if c, ok := in.(ssa.CallInstruction); ok {
		r.call(x, f, c)
	}
}

// call adds the writes of the functions that the call may run to region x.
func (r *regions) call(x *region, f frame, c ssa.CallInstruction) {
	if r.gaveUp {
		return
	}
	list := r.targets(x, f, c)
	r.targetBudget -= len(list)
	r.gaveUp = r.gaveUp || r.targetBudget < 0
	for _, g := range list {
		r.run(x, g)
	}
}

// step takes a visit from the budget. It reports whether there was one.
func (r *regions) step() bool {
	if r.budget--; r.budget%stepsToPace == 0 {
		pace.Step()
	}
	r.gaveUp = r.gaveUp || r.budget < 0
	return !r.gaveUp
}

// targets returns the frames of the functions that the call may run.
func (r *regions) targets(x *region, f frame, c ssa.CallInstruction) (list []frame) {
	cc := c.Common()
	if !cc.IsInvoke() {
		if v := r.resolve(f, cc.Value, 0); v != nil {
			list = append(list, r.frame(f, v, cc))
			if g := onceArg(cc); g != nil {
				list = append(list, frame{funcValue: r.value(g, nil)})
			}
			if startsByGo(cc) && len(v.fn.Blocks) == 0 {
				if g := r.resolve(f, cc.Args[1], 0); g != nil {
					list = append(list, frame{funcValue: g})
				}
			}
			return list
		}
	}
	callees, external := r.a.Callees(c)
	if external && !r.a.inInvocation() {
		x.external = true
	}
	for _, g := range callees {
		list = append(list, frame{funcValue: r.value(g, nil)})
	}
	return list
}

// frame returns the frame of v in a call c from frame f.
func (r *regions) frame(f frame, v *funcValue, c *ssa.CallCommon) frame {
	g := frame{funcValue: v}
	for i, x := range c.Args {
		if _, ok := x.Type().Underlying().(*types.Signature); ok && i < len(v.fn.Params) {
			if g.params == nil {
				g.params = make([]*funcValue, len(v.fn.Params))
			}
			g.params[i] = r.resolve(f, x, 0)
		}
	}
	return g
}

// valueDepth bounds the nesting of function values in free variables.
const valueDepth = 5

// resolve returns the function value of v in frame f, or nil if it is unknown.
func (r *regions) resolve(f frame, v ssa.Value, depth int) *funcValue {
	if depth > valueDepth {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Function:
		return r.value(v, nil)
	case *ssa.MakeClosure:
		g := v.Fn.(*ssa.Function)
		free := make([]*funcValue, len(v.Bindings))
		for i, b := range v.Bindings {
			switch b := b.(type) {
			case *ssa.Alloc:
				free[i] = r.resolve(f, content(b), depth+1)
			case *ssa.FreeVar:
				free[i] = r.freeVar(f, b)
			default:
				if _, ok := b.Type().Underlying().(*types.Signature); ok {
					free[i] = r.resolve(f, b, depth+1)
				}
			}
		}
		return r.value(g, free)
	case *ssa.Parameter:
		for i, p := range f.fn.Params {
			if p == v && i < len(f.params) {
				return f.params[i]
			}
		}
	case *ssa.FreeVar:
		return r.freeVar(f, v)
	case *ssa.UnOp:
		if _, ok := v.Type().Underlying().(*types.Signature); !ok {
			return nil
		}
		switch x := v.X.(type) {
		case *ssa.Alloc:
			return r.resolve(f, content(x), depth+1)
		case *ssa.FreeVar:
			return r.freeVar(f, x)
		}
	case *ssa.ChangeType:
		return r.resolve(f, v.X, depth)
	}
	return nil
}

func (r *regions) freeVar(f frame, v *ssa.FreeVar) *funcValue {
	for i, x := range f.fn.FreeVars {
		if x == v && i < len(f.free) {
			return f.free[i]
		}
	}
	return nil
}

// content returns the function that is stored in a variable if the variable has exactly
// one store, or nil.
func content(v *ssa.Alloc) (stored ssa.Value) {
	if p, ok := v.Type().Underlying().(*types.Pointer); !ok {
		return nil
	} else if _, ok := p.Elem().Underlying().(*types.Signature); !ok {
		return nil
	}
	var read func(x ssa.Value) bool
	read = func(x ssa.Value) bool {
		for u := range instrs.Uses(x) {
			switch u := u.(type) {
			case *ssa.UnOp:
			case *ssa.Store:
				if x != v || u.Addr != v || u.Val == v || stored != nil {
					return false
				}
				stored = u.Val
			case *ssa.MakeClosure:
				for i, b := range u.Bindings {
					if b == x && !read(u.Fn.(*ssa.Function).FreeVars[i]) {
						return false
					}
				}
			default:
				return false
			}
		}
		return true
	}
	if !read(v) {
		return nil
	}
	return stored
}

// maxKey bounds the keys of function values. A recursive function that passes on a closure of
// its own parameter would make ever longer ones.
const maxKey = 400

// value returns the function value of f with the given free variables. If these are function
// values of great depth, they count as unknown.
func (r *regions) value(f *ssa.Function, free []*funcValue) *funcValue {
	if k := r.keys(free); k != "" && len(k) <= maxKey {
		return &funcValue{f, free, k}
	}
	v := r.plain[f]
	if v == nil {
		v = &funcValue{fn: f}
		r.plain[f] = v
	}
	return v
}

func (r *regions) context(f frame) context {
	if k := r.keys(f.params); k != "" {
		return context{f.fn, f.key + "|" + k}
	}
	return context{f.fn, f.key}
}

// keys returns a key of a list of function values. It omits unknown ones.
func (r *regions) keys(list []*funcValue) string {
	var b strings.Builder
	for i, v := range list {
		if v == nil {
			continue
		}
		id, ok := r.ids[v.fn]
		if !ok {
			id = len(r.ids)
			r.ids[v.fn] = id
		}
		b.WriteString("(" + strconv.Itoa(i) + ":" + strconv.Itoa(id) + v.key + ")")
	}
	return b.String()
}

// finish frees the tables of the search, and all regions if the search gave up.
func (r *regions) finish() {
	if r.gaveUp {
		clear(r.whole)
		clear(r.alone)
	}
	for _, m := range []map[*ssa.Function][]*region{r.whole, r.alone} {
		for _, list := range m {
			for _, x := range list {
				x.seen, x.alone = nil, nil
			}
		}
	}
	r.entered, r.ids, r.plain, r.bodies = nil, nil, nil, nil
}
