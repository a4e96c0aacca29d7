package dominate

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/step"
	"taskinstr/ssapass"
	"taskinstr/ssapass/pointsto"
)

// Covers across calls: dominate's rules where the two accesses are made by two
// activations, one of which called the other, or both of which one called.
//
//   - A callee before: each return of the callee has the cover behind it (leaving),
//     and the call dominates the access.
//   - The callers before: all calls of the function are known, and each has a cover
//     before it, its own for each, so that a removed check may have several
//     (Fate.More). A call of the function by itself that hands on what names the
//     place has the cover of the outermost activation.
//   - A callee behind: the callee begins with a write that is made for certain
//     (entering), and the call follows the access for certain.
//
// The conditions on what lies between are those of dominate, for the whole of the
// way: the rest of the callee, what stands between in the caller, the beginning of the
// next callee.
//
// Both places are looked at from one activation (view): a parameter of a callee is
// the argument there, a free variable what the closure was made with. What a callee
// computes from these by fields, elements and arithmetic is numbered as if the
// caller did; a pointer loaded on the way must be in memory that nothing on the
// whole way, and no other task, writes.
//
// What a function does by its end, or first, is collected from its callees up, each
// time a function is first asked for; a function that calls itself gets nothing from
// these calls.
//
// Source: TaskChecker, section 6.5, with dominate's conditions on what lies between.
//
// Limits: calls of functions that are named, or literals, where they are called. No
// covers in a callee that defers calls, since it may be left by a panic and return all
// the same, nor in functions marked go:nosplit. Cover and access are of one package:
// of two, one may be built without checks. A function that code not seen, an
// interface, a function value, go or defer may run has no callers in this sense. A
// write of the caller's behind the call covers nothing.

// sweepCalls looks for covers in other functions.
func (d *dominator) sweepCalls(f *function) {
	d.sweep(f, func(a *access) bool { return !a.write && d.coverCalled(a) })
	d.sweep(f, func(a *access) bool { return d.coverAround(a) })
	d.sweep(f, func(a *access) bool { return a.write && d.coverCalled(a) })
}

// A calls is what is known of functions as callees and callers.
type calls struct {
	frames   map[*ssa.Function]*function
	static   map[*ssa.Function][]*ssa.Call
	leaving  map[*ssa.Function][]certain
	entering map[*ssa.Function][]certain
	byPlace  map[*ssa.Call]map[int][]certain // leaving, by the number that the caller gives the place
}

func newCalls() calls {
	return calls{
		frames: map[*ssa.Function]*function{}, static: map[*ssa.Function][]*ssa.Call{}, leaving: map[*ssa.Function][]certain{},
		entering: map[*ssa.Function][]certain{}, byPlace: map[*ssa.Call]map[int][]certain{},
	}
}

// A done is an access that a call makes for certain, itself or by the calls in,
// innermost first.
type certain struct {
	*access
	in []*ssa.Call
}

// Limits of what is looked at.
const (
	maxDepth  = 4  // calls between cover and access, in each direction
	maxDone   = 64 // accesses of a function that its callers know of
	maxCovers = 8  // of one access
	maxTries  = 64 // calls looked at for one access
	maxPlace  = 32 // of the expression of a place: values used twice count twice
)

// A view is a value as the function sees it that makes the last of the calls, the
// others of which lead to the value's function. Without calls it is the function's
// own.
type view struct {
	v  ssa.Value
	in []*ssa.Call // innermost first
}

// within returns the value as the function around call sees it.
func (x view) within(call *ssa.Call) view { return view{x.v, append(slices.Clip(x.in), call)} }

// resolve goes outwards where the value was handed in.
func (x view) resolve() view {
	for len(x.in) > 0 {
		c := &x.in[0].Call
		switch v := x.v.(type) {
		case *ssa.Parameter:
			x.v = c.Args[slices.Index(v.Parent().Params, v)]
		case *ssa.FreeVar:
			m, ok := c.Value.(*ssa.MakeClosure)
			if !ok {
				return x
			}
			x.v = m.Bindings[slices.Index(v.Parent().FreeVars, v)]
		case *ssa.Global:
			return view{v, nil}
		default:
			return x
		}
		x.in = x.in[1:]
	}
	return x
}

// outer returns the struct or array that the address is in.
func (x view) outer() (view, bool) {
	x = x.resolve()
	c := container(x.v)
	return view{c, x.in}, c != nil
}

// number returns the number that the function gives the value.
func (n *numbering) view(x view) int {
	if x = x.resolve(); len(x.in) == 0 {
		return n.number(x.v)
	}
	if k, ok := n.key(x.v, func(v ssa.Value) int { return n.view(view{v, x.in}) }); ok {
		if i, ok := n.keys[k]; ok {
			return i
		}
		n.next++
		n.keys[k] = n.next
		return n.next
	}
	n.next++ // like nothing else
	return n.next
}

// parts calls f for the value and what it is computed from, as far as numbers tell,
// until f returns false.
func (x view) parts(f func(view) bool) bool {
	if x = x.resolve(); !f(x) {
		return false
	}
	if keyed(x.v) {
		for _, v := range operands(x.v) {
			if !(view{v, x.in}).parts(f) {
				return false
			}
		}
	}
	return true
}

// handed reports whether the value is computed from nothing but what a caller
// knows, too, and from little.
func (x view) handed() bool {
	n := 0
	return x.parts(func(y view) bool {
		if n++; n > maxPlace {
			return false
		}
		switch v := y.v.(type) {
		case *ssa.Parameter, *ssa.Global:
			return true
		case *ssa.FreeVar:
			return v.Parent().Synthetic == ""
		}
		return keyed(y.v)
	})
}

// loads returns the memory that the value, which is handed, is loaded from on the way.
func (d *dominator) loads(x view) (list []pointsto.Set) {
	x.parts(func(y view) bool {
		if u, ok := isLoad(y.v); ok {
			list = append(list, d.a.Points.Points(u.X))
		}
		return true
	})
	return list
}

// frame returns what is known of a function's values, also if it has no accesses.
func (d *dominator) frame(f *ssa.Function) *function {
	if g := d.funcs[f]; g != nil {
		return g
	}
	g := d.frames[f]
	if g == nil {
		g = newFunction(f)
		d.frames[f] = g
	}
	return g
}

// target returns the one function that the call runs, which must be named there and
// of a package in scope.
func (d *dominator) target(c *ssa.Call) *ssa.Function {
	f := c.Call.StaticCallee()
	if f == nil || len(f.Blocks) == 0 || !d.ours(f) {
		return nil
	}
	if list, external := d.a.Callees(c); external || len(list) != 1 || list[0] != f {
		return nil
	}
	return f
}

// ours reports whether f has its own text, in a package in scope.
func (d *dominator) ours(f *ssa.Function) bool {
	if f.Syntax() == nil || f.Synthetic == "range-over-func yield" {
		return false
	}
	for f.Parent() != nil {
		f = f.Parent()
	}
	if o := f.Origin(); o != nil {
		f = o
	}
	return f.Pkg != nil && d.b.InScope(f.Pkg.Pkg.Path())
}

// called returns the calls in f that have a target.
func (d *dominator) called(f *ssa.Function) []*ssa.Call {
	list, ok := d.static[f]
	if !ok {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*ssa.Call); ok && d.target(c) != nil {
					list = append(list, c)
				}
			}
		}
		d.static[f] = list
	}
	return list
}

// plain reports whether f returns only by its return statements, with checks like any
// other's.
func returnsPlainly(f *ssa.Function) bool { return f.Recover == nil && !nosplit(f) }

// nosplit reports whether f has the checks of functions marked go:nosplit.
func nosplit(f *ssa.Function) bool {
	n, ok := f.Syntax().(*ast.FuncDecl)
	return ok && n.Doc != nil && slices.ContainsFunc(n.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:nosplit") })
}

// sameStep reports whether an instruction orders no tasks and changes no locks.
func sameStep(in ssa.Instruction, sync ssapass.Sync) bool { return sync&step.Separates == 0 }

// leaves returns the accesses that each call of f has made when it returns, and
// that nothing separates from the return.
func (d *dominator) leaves(f *ssa.Function) []certain {
	list, ok := d.leaving[f]
	if ok {
		return list
	}
	d.leaving[f] = nil // for calls of f by itself
	var rets []ssa.Instruction
	for _, b := range f.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			rets = append(rets, r)
		}
	}
	if len(rets) == 0 || !returnsPlainly(f) {
		return nil
	}
	d.collectDone(f, d.leaves, &list, func(in ssa.Instruction, _ view) bool {
		for _, r := range rets {
			if !d.paths.dominates(in, r) || !d.paths.between(in, r, sameStep) {
				return false
			}
		}
		return true
	}, func(*access, view) bool { return true })
	d.leaving[f] = list
	return list
}

// enters returns the writes that each call of f makes first, before anything that
// could keep it from them or order tasks.
func (d *dominator) enters(f *ssa.Function) []certain {
	list, ok := d.entering[f]
	if ok {
		return list
	}
	d.entering[f] = nil
	if !returnsPlainly(f) {
		return nil
	}
	num := d.frame(f).strict
	d.collectDone(f, d.enters, &list, func(in ssa.Instruction, place view) bool {
		can := &safe{num: num, have: map[int]bool{}}
		place.used(can)
		return d.paths.reachFrom(f.Blocks[0], 0, in, func(in ssa.Instruction, _ ssapass.Sync) bool { return d.paths.quiet(in, can) })
	}, func(a *access, place view) bool { return a.write && len(d.loads(place)) == 0 })
	d.entering[f] = list
	return list
}

// used notes that the address can be used, and so what of it the function itself
// computes.
func (x view) used(can *safe) {
	x = x.resolve()
	if len(x.in) == 0 {
		can.used(x.v)
		return
	}
	switch v := x.v.(type) {
	case *ssa.FieldAddr:
		view{v.X, x.in}.used(can)
	case *ssa.IndexAddr:
		view{v.X, x.in}.used(can)
	}
}

// collectDone adds to list the accesses of f, and of what it calls, that fit and
// that are sure to be made.
func (d *dominator) collectDone(f *ssa.Function, of func(*ssa.Function) []certain, list *[]certain, sure func(ssa.Instruction, view) bool, fits func(*access, view) bool) {
	take := func(a *access, in ssa.Instruction, place view) {
		if len(*list) < maxDone && place.handed() && fits(a, place) && sure(in, place) {
			*list = append(*list, certain{a, place.in})
		}
	}
	if g := d.funcs[f]; g != nil {
		for _, a := range g.list {
			if d.b.CanCover(a.site) {
				take(a, a.Instr, view{a.Addr, nil})
			}
		}
	}
	for _, c := range d.called(f) {
		for _, e := range of(d.target(c)) {
			if len(e.in) < maxDepth {
				take(e.access, c, view{e.Addr, e.in}.within(c))
			}
		}
	}
}

// A covering is a search for checks that stand for one access.
type search struct {
	d     *dominator
	a     *access
	write bool  // what stands for it must be a write
	sites []int // found
	tries int
	// within: the places looked for at the entry of functions that are being
	// looked at.
	within map[entry]bool
}

type entry struct {
	f     *ssa.Function
	place int
}

// may reports whether the check of c may stand for that of the access.
func (s *search) may(c *access) bool {
	sites := s.d.a.Sites.List
	return (c.write || !s.write) && c.site != s.a.site && s.d.b.CanCover(c.site) && sites[c.site].Pkg.Path() == sites[s.a.site].Pkg.Path()
}

func (s *search) note(c *access) bool {
	if !slices.Contains(s.sites, c.site) {
		s.sites = append(s.sites, c.site)
	}
	return len(s.sites) <= maxCovers
}

// coverAround removes the check of a's site if others before its accesses, in
// callees and callers, cover all of these.
func (d *dominator) coverAround(a *access) bool {
	return d.coversEach(a.site, func(s *search) bool {
		t := d.a.Sites.List[s.a.site]
		if !s.a.write && d.stmts.delayed(t, s.a.Fn, step.Separates) {
			return false
		}
		return s.find(d.funcs[s.a.Fn], s.a.Instr, view{s.a.Addr, nil})
	}, "covered by the %s at %s")
}

// coverCalled removes the check of a's site if callees write the place next.
func (d *dominator) coverCalled(a *access) bool {
	return d.coversEach(a.site, (*search).called, "covered by the %s that follows in a call, at %s")
}

// coversEach removes the check of site i if find finds covers for each of its
// accesses, and, where i is the write of op=, those of its read.
func (d *dominator) coversEach(i int, find func(*search) bool, reason string) bool {
	var sites []int
	write := d.a.Sites.List[i].Key.Write
	each := func(i int) bool {
		for _, x := range d.a.Sites.List[i].Accesses {
			f := d.funcs[x.Fn]
			if f == nil {
				return false
			}
			k := slices.IndexFunc(f.bySite[i], func(a *access) bool { return a.Access == x })
			if k < 0 {
				return false
			}
			s := &search{d: d, a: f.bySite[i][k], write: write, sites: sites, within: map[entry]bool{}}
			if !find(s) {
				return false
			}
			sites = s.sites
		}
		return true
	}
	if !each(i) {
		return false
	}
	if r := d.b.Twin(i); r >= 0 && write && !each(r) {
		return false
	}
	// A recursive function may be looked at from one of its own sites only.
	if len(sites) == 0 || slices.Contains(sites, i) {
		return false
	}
	verb := "read"
	if d.a.Sites.List[sites[0]].Key.Write {
		verb = "write"
	}
	text := fmt.Sprintf(reason, verb, d.b.Position(sites[0], i))
	if n := len(sites) - 1; n > 0 {
		text += fmt.Sprintf(", or on other ways by %d more", n)
	}
	d.b.Cover(i, sites[0], text, sites[1:]...)
	return true
}

// before looks for covers of the place before instruction at of g: the access, or a
// call that leads to it.
func (s *search) find(g *function, at ssa.Instruction, place view) bool {
	return s.own(g, at, place) || s.callee(g, at, place) || s.callers(g, at, place)
}

// own looks in g itself.
func (s *search) own(g *function, at ssa.Instruction, place view) bool {
	d := s.d
	for p, ok := place, true; ok; p, ok = p.outer() {
		for _, c := range g.at[g.num.view(p)] {
			if !s.may(c) || !d.paths.dominates(c.Instr, at) {
				continue
			}
			if at == s.a.Instr {
				if d.coversBefore(g, s.a, c) {
					return s.note(c)
				}
				continue
			}
			// The compiler may load the cover behind the call.
			t := d.a.Sites.List[c.site]
			if nosplit(g.fn) || !c.write && d.stmts.togetherAt(t, at.Pos()) && d.stmts.delayed(t, g.fn, anyCall) {
				continue
			}
			if d.paths.between(c.Instr, at, sameStep) && s.same(g, p, view{c.Addr, nil}, at, new(int)) {
				return s.note(c)
			}
		}
	}
	return false
}

// callee looks in functions that g has called.
func (s *search) callee(g *function, at ssa.Instruction, place view) bool {
	d := s.d
	for _, c := range d.called(g.fn) {
		list := d.leaves(d.target(c))
		if len(list) == 0 || c == at || !d.paths.dominates(c, at) || !d.paths.between(c, at, sameStep) {
			continue
		}
		byPlace := d.byPlace[c]
		if byPlace == nil {
			byPlace = map[int][]certain{}
			for _, e := range list {
				n := g.num.view(view{e.Addr, e.in}.within(c))
				byPlace[n] = append(byPlace[n], e)
			}
			d.byPlace[c] = byPlace
		}
		for p, ok := place, true; ok; p, ok = p.outer() {
			for _, e := range byPlace[g.num.view(p)] {
				if s.may(e.access) && s.same(g, p, view{e.Addr, e.in}.within(c), at, new(int)) {
					return s.note(e.access)
				}
			}
		}
	}
	return false
}

// callers looks in all functions that call g.
func (s *search) callers(g *function, at ssa.Instruction, place view) bool {
	d := s.d
	f := g.fn
	list, all := d.a.Callers(f)
	if !all || len(list) == 0 || len(place.in) >= maxDepth || !d.ours(f) || !place.handed() || !d.paths.fromEntry(at, sameStep) {
		return false
	}
	mem := d.loads(place)
	for _, m := range mem {
		if !d.a.Stable(m) || !d.paths.fromEntry(at, d.keeps(m)) {
			return false
		}
	}
	e := entry{f, g.num.view(place)}
	if s.within[e] {
		// The activation before has the cover, which nothing separates from
		// this one.
		return len(mem) == 0
	}
	s.within[e] = true
	defer delete(s.within, e)
	for _, k := range list {
		c, ok := k.(*ssa.Call)
		if s.tries++; !ok || s.tries > maxTries || d.target(c) != f {
			return false
		}
		if !s.find(d.frame(c.Parent()), c, place.within(c)) {
			return false
		}
	}
	return true
}

// same reports whether x, the place of the access, and y, that of a cover that was
// checked before instruction at of g, are the same for certain when at runs. What x
// loads in callees of g is loaded as if just then: s.callers has seen to that.
func (s *search) same(g *function, x, y view, at ssa.Instruction, parts *int) bool {
	d := s.d
	if *parts++; *parts > maxPlace {
		return false
	}
	x, y = x.resolve(), y.resolve()
	if len(x.in)+len(y.in) == 0 && x.v == y.v {
		return true
	}
	if g.num.view(x) != g.num.view(y) {
		return false
	}
	xs, ys := operands(x.v), operands(y.v)
	if len(xs) != len(ys) {
		return false
	}
	if u, ok := isLoad(x.v); ok {
		mem := d.a.Points.Points(u.X)
		if _, ok := isLoad(y.v); !ok || !d.a.Stable(mem) {
			return false
		}
		first := y.when() // y is loaded, or x, whichever comes first
		if len(x.in) == 0 && d.paths.dominates(x.when(), first) {
			first = x.when()
		}
		if first == at || !d.paths.dominates(first, at) || !d.paths.between(first, at, d.keeps(mem)) {
			return false
		}
		if c, ok := first.(*ssa.Call); ok && d.a.MayWrite(c, mem) {
			return false
		}
	}
	for i := range xs {
		if !s.same(g, view{xs[i], x.in}, view{ys[i], y.in}, at, parts) {
			return false
		}
	}
	return true
}

// when returns the instruction of the looking function that computes the value.
func (x view) when() ssa.Instruction {
	if n := len(x.in); n > 0 {
		return x.in[n-1]
	}
	return x.v.(ssa.Instruction)
}

// called looks for a call behind the access whose callee writes the place first.
func (s *search) called() bool {
	d, a := s.d, s.a
	g := d.funcs[a.Fn]
	t := d.a.Sites.List[a.site]
	for _, c := range d.called(a.Fn) {
		list := d.enters(d.target(c))
		if len(list) == 0 || !a.write && d.stmts.togetherAt(t, c.Pos()) && d.stmts.delayed(t, a.Fn, anyCall) {
			continue
		}
		for _, e := range list {
			y := view{e.Addr, e.in}.within(c)
			n := g.num.view(y)
			for addr := a.Addr; addr != nil; addr = container(addr) {
				if s.may(e.access) && g.num.number(addr) == n && s.written(g, addr, y, c) {
					return s.note(e.access)
				}
			}
		}
	}
	return false
}

// written reports whether place y, written by call c for certain, is addr, which is
// or contains that of the access, and c follows that for certain.
func (s *search) written(g *function, addr ssa.Value, y view, c *ssa.Call) bool {
	d, a := s.d, s.a
	if !d.alike(g, view{addr, nil}, y, func(u, v *ssa.UnOp, mem pointsto.Set) bool { return d.sameValue(u, v, a.Instr, c, mem) }) {
		return false
	}
	can := d.safeBefore(g, a.Instr)
	can.used(a.Addr)
	y.used(can) // the same, as the callee computes it
	return d.paths.reach(a.Instr, c, func(in ssa.Instruction, _ ssapass.Sync) bool { return d.paths.quiet(in, can) })
}

// alike is dominator.same for a place y of a callee that loads nothing.
func (d *dominator) alike(g *function, x, y view, equal func(u, v *ssa.UnOp, mem pointsto.Set) bool) bool {
	x, y = x.resolve(), y.resolve()
	if len(y.in) == 0 {
		return d.same(g, x.v, y.v, equal)
	}
	xs, ys := operands(x.v), operands(y.v)
	if g.num.view(x) != g.num.view(y) || len(xs) != len(ys) {
		return false
	}
	for i := range xs {
		if !d.alike(g, view{xs[i], nil}, view{ys[i], y.in}, equal) {
			return false
		}
	}
	return true
}
