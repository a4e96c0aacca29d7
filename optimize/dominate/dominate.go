package dominate

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/pace"
	"taskinstr/optimize/accessor"
	"taskinstr/optimize/builder"
	"taskinstr/optimize/loop"
	"taskinstr/optimize/step"
	"taskinstr/ssapass"
	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

// Run removes the checks that other checks cover.
func Run(b *builder.Builder) {
	d := &dominator{b: b, a: b.Analysis, paths: newPaths(b.Analysis), stmts: newStatements(b), funcs: map[*ssa.Function]*function{}, sitesAt: map[ssa.Instruction][]int{}, redirected: map[ssa.Instruction]bool{}, calls: newCalls(), accessors: accessor.NewFinder(b)}
	d.collect()
	for _, f := range d.order {
		pace.Step()
		// Reads that a write behind them covers come first: the removed ones need no
		// further search, and a read that covered others could no longer be removed.
		d.sweep(f, func(a *access) bool { return d.coverBehind(f, a, false) })
		d.sweep(f, func(a *access) bool { return d.coverBefore(f, a) })
		d.sweep(f, func(a *access) bool { return d.coverBehind(f, a, true) })
	}
	for _, f := range d.order {
		pace.Step()
		d.sweepCalls(f)
	}
	calling := d.calling()
	for _, f := range calling {
		pace.Step()
		d.redirectCovered(f)
	}
	for _, f := range calling {
		d.mergeNeighbours(f)
	}
	if b.Explains() {
		for _, f := range d.order {
			d.explain(f)
		}
	}
}

type dominator struct {
	b       *builder.Builder
	a       *ssapass.Analysis
	paths   *paths
	stmts   *statements
	funcs   map[*ssa.Function]*function
	sitesAt map[ssa.Instruction][]int // the sites of an instruction
	order   []*function
	calls
	accessors  *accessor.Finder
	redirected map[ssa.Instruction]bool // calls that go to copies, which make no check or a check of more

	here struct { // the last question to safeHere, and its answer
		in  ssa.Instruction
		can *safe
	}
}

// A function holds the accesses of one function.
type function struct {
	fn     *ssa.Function
	num    *numbering
	strict *numbering
	list   []*access         // in the order of blocks
	byAddr map[int][]*access // by the number of the address
	bySite map[int][]*access
}

func newFunction(f *ssa.Function) *function {
	return &function{fn: f, num: newNumbering(false), strict: newNumbering(true), byAddr: map[int][]*access{}, bySite: map[int][]*access{}}
}

// An access may be covered or cover others.
type access struct {
	ssapass.Access
	site  int
	write bool
}

// collect groups the accesses of all sites in scope by function and address.
func (d *dominator) collect() {
	byInstr, accessing := map[ssa.Instruction][]*access{}, map[*ssa.Function]bool{}
	for i, s := range d.a.Sites.List {
		for _, c := range s.Accesses {
			d.sitesAt[c.Instr] = append(d.sitesAt[c.Instr], i)
		}
		// The read of op= has no check of its own, but its write is covered only together
		// with it.
		twin := d.b.Twin(i)
		if s.Key.Elems || !d.b.InScope(s.Pkg.Path()) || !d.b.Checked(i) && (twin < 0 || !d.b.Checked(twin)) {
			continue
		}
		for _, c := range s.Accesses {
			byInstr[c.Instr] = append(byInstr[c.Instr], &access{c, i, s.Key.Write})
			accessing[c.Instr.Parent()] = true
		}
	}
	for _, f := range d.a.Program().Functions() {
		if !accessing[f] {
			continue
		}
		var g *function
		for in := range instrs.Of(f) {
			for _, a := range byInstr[in] {
				if g == nil {
					g = newFunction(f)
				}
				n := g.num.number(a.Addr)
				g.list = append(g.list, a)
				g.byAddr[n] = append(g.byAddr[n], a)
				g.bySite[a.site] = append(g.bySite[a.site], a)
			}
		}
		if g != nil {
			d.funcs[f] = g
			d.order = append(d.order, g)
		}
	}
}

// sweep calls try with the open accesses of f.
func (d *dominator) sweep(f *function, try func(*access) bool) {
	for _, a := range f.list {
		if d.b.IsOpen(a.site) {
			try(a)
		}
	}
}

// eachCover calls try with the accesses of f that may cover a, until one does: the
// accesses of the same address, writes first, then the accesses of the struct or array around
// it.
func (d *dominator) eachCover(f *function, a *access, try func(c *access) bool) bool {
	for addr := a.Addr; addr != nil; addr = container(addr) {
		list := f.byAddr[f.num.number(addr)]
		for _, write := range []bool{true, false} {
			if a.write && !write {
				continue
			}
			for _, c := range list {
				if c.write == write && c.site != a.site && d.b.CanCover(c.site) && try(c) {
					return true
				}
			}
		}
	}
	return false
}

// container returns the address of the struct or array that contains the field or element
// at addr, nil if there is none.
func container(addr ssa.Value) ssa.Value {
	switch v := addr.(type) {
	case *ssa.FieldAddr:
		return v.X
	case *ssa.IndexAddr:
		if _, ok := v.X.Type().Underlying().(*types.Pointer); ok {
			return v.X
		}
	}
	return nil
}

// coverBefore removes the check of a's site if a check before a covers it.
func (d *dominator) coverBefore(f *function, a *access) bool {
	return d.eachCover(f, a, func(c *access) bool {
		return d.coversAll(a.site, c.site, d.coversBefore, "covered by the %s at %s")
	})
}

// coverBehind removes the check of a's site if a write behind a covers it. It does so for
// writes or for reads only, as asked.
func (d *dominator) coverBehind(f *function, a *access, writes bool) bool {
	if a.write != writes {
		return false
	}
	return d.eachCover(f, a, func(c *access) bool {
		return c.write && d.coversAll(a.site, c.site, d.coversBehind, "covered by the %s that follows at %s")
	})
}

// coversAll removes the check of site i if the check of site j covers each of its
// accesses and, if i is the write of op=, each access of the read.
func (d *dominator) coversAll(i, j int, covers func(f *function, a, c *access) bool, reason string) bool {
	sites := d.a.Sites.List
	all := func(i int) bool {
		for _, x := range sites[i].Accesses {
			f := d.funcs[x.Fn]
			if f == nil || !d.covered(f, i, j, x, covers) {
				return false
			}
		}
		return true
	}
	r := -1
	if sites[i].Key.Write {
		r = d.b.Twin(i)
	}
	if r == j || !all(i) || r >= 0 && !all(r) {
		return false
	}
	d.b.Cover(i, j, d.describe(reason, j, i))
	return true
}

// describe returns the reason for the cover of site i by site j: a format for the kind and
// the position of j.
func (d *dominator) describe(reason string, j, i int) string {
	kind := "read"
	if d.a.Sites.List[j].Key.Write {
		kind = "write"
	}
	return fmt.Sprintf(reason, kind, d.b.Position(j, i))
}

// covered reports whether an access of site j covers the access x of site i.
func (d *dominator) covered(f *function, i, j int, x ssapass.Access, covers func(f *function, a, c *access) bool) bool {
	for _, a := range f.bySite[i] {
		if a.Access != x {
			continue
		}
		for _, c := range f.bySite[j] {
			if (c.write || !a.write) && covers(f, a, c) {
				return true
			}
		}
	}
	return false
}

// coversBefore reports whether c, executed before a, covers it.
func (d *dominator) coversBefore(f *function, a, c *access) bool {
	if !d.paths.dominates(c.Instr, a.Instr) {
		return false
	}
	addr := f.within(a.Addr, c.Addr)
	if addr == nil || !d.same(f, c.Addr, addr, d.unchanged(a)) {
		return false
	}
	sa, sc := d.a.Sites.List[a.site], d.a.Sites.List[c.site]
	if !c.write && d.stmts.late(sc.Pos, sa.Pos) {
		return false
	}
	if !a.write && d.stmts.delayed(sa, f.fn, step.Separates) || !c.write && d.stmts.together(sa, sc) && d.stmts.delayed(sc, f.fn, anyCall) {
		return false
	}
	return d.paths.between(c.Instr, a.Instr, sameStep)
}

// unchanged returns a test for two loads of one address: whether both give the value that the
// memory has at access a.
func (d *dominator) unchanged(a *access) func(x, y *ssa.UnOp, mem pointsto.Set) bool {
	return func(x, y *ssa.UnOp, mem pointsto.Set) bool {
		if !d.paths.dominates(x, y) {
			x, y = y, x
		}
		return d.paths.dominates(x, a.Instr) && d.paths.between(x, a.Instr, d.keeps(mem))
	}
}

// coversBehind reports whether the write c, executed after a, covers it.
func (d *dominator) coversBehind(f *function, a, c *access) bool {
	addr := f.within(a.Addr, c.Addr)
	if addr == nil || !d.same(f, addr, c.Addr, func(x, y *ssa.UnOp, mem pointsto.Set) bool { return d.sameValue(x, y, a.Instr, c.Instr, mem) }) {
		return false
	}
	if d.paths.tired(f.fn) {
		return false
	}
	can := d.safeHere(f, a)
	if !can.has(c.Addr) {
		can = can.clone()
		can.used(c.Addr) // computed from the same values
	}
	between := d.passes(can, a.site, c.site, d.b.Twin(c.site))
	if a.unused() {
		// No later access depends on the value.
		between = func(in ssa.Instruction, _ ssapass.Sync) bool { return d.paths.quiet(in, can) }
	}
	return d.paths.reach(a.Instr, c.Instr, between)
}

// passes returns a test for the instructions past which a check may be delayed: the
// instruction is quiet (paths.quiet) and makes no check, except those of the given sites. A check
// in a critical section can show that the section comes after an earlier one, and so order
// later accesses of the section, in the weak order. A pointer that is read under a lock is an
// example: as long as its read is not checked, an access through it seems to be ordered by the
// lock alone.
func (d *dominator) passes(can *safe, except ...int) func(ssa.Instruction, ssapass.Sync) bool {
	return func(in ssa.Instruction, _ ssapass.Sync) bool {
		if c, ok := in.(*ssa.Call); ok && !d.computes(c) {
			return false
		}
		for _, k := range d.sitesAt[in] {
			if d.b.Checked(k) && d.b.Fate(k).Kind != builder.Removed && !slices.Contains(except, k) {
				return false
			}
		}
		return d.paths.quiet(in, can)
	}
}

// computes reports whether the call makes no check.
func (d *dominator) computes(c *ssa.Call) bool {
	if _, ok := c.Call.Value.(*ssa.Builtin); ok {
		return true // its accesses are sites of the call itself
	}
	f := c.Call.StaticCallee()
	if f == nil {
		return false
	}
	if fn, ok := f.Object().(*types.Func); ok && fn.Pkg() != nil {
		if k, ok := loop.ContractOf(fn); ok && k.Bytes() == 0 {
			return true
		}
	}
	for in := range instrs.Of(f) {
		if _, calls := in.(ssa.CallInstruction); calls || len(d.sitesAt[in]) > 0 {
			return false
		}
	}
	return len(f.Blocks) > 0
}

// unused reports whether the access is a read whose value the program does not use, as in
// _ = b[3].
func (a *access) unused() bool {
	v, ok := a.Instr.(ssa.Value)
	if !ok || a.write {
		return false
	}
	return !slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool { _, debug := in.(*ssa.DebugRef); return !debug })
}

// safeHere is safeBefore with the address of a. It keeps the last answer, since many writes may
// follow a. The caller must not change it.
func (d *dominator) safeHere(f *function, a *access) *safe {
	if d.here.in != a.Instr {
		d.here.in, d.here.can = a.Instr, d.safeBefore(f, a.Instr, d.posOf(a))
		d.here.can.used(a.Addr)
	}
	return d.here.can
}

// posOf returns a position in the statement of the access.
func (d *dominator) posOf(a *access) token.Pos {
	if c, ok := a.Instr.(*ssa.Call); ok {
		return c.Pos()
	}
	return d.a.Sites.List[a.site].Pos
}

// sameValue reports whether x and y, two loads of one address, give one value, if c
// follows a in their block.
func (d *dominator) sameValue(x, y *ssa.UnOp, a, c ssa.Instruction, mem pointsto.Set) bool {
	b := c.Block()
	if x.Block() != b || y.Block() != b || a.Block() != b {
		return false
	}
	if d.paths.places.Of(x) > d.paths.places.Of(y) {
		x, y = y, x
	}
	return d.paths.places.Of(x) < d.paths.places.Of(c) && d.paths.between(x, c, d.keeps(mem))
}

// within returns the first of addr and its containers that has the number of outer; nil
// if none has.
func (f *function) within(addr, outer ssa.Value) ssa.Value {
	n := f.num.number(outer)
	for ; addr != nil; addr = container(addr) {
		if f.num.number(addr) == n {
			return addr
		}
	}
	return nil
}

// keeps returns a test for instructions that do not write mem.
func (d *dominator) keeps(mem pointsto.Set) func(ssa.Instruction, ssapass.Sync) bool {
	return func(in ssa.Instruction, _ ssapass.Sync) bool { return !d.a.MayWrite(in, mem) }
}

// same reports whether x and y, which have one number, are the same value. The caller's
// function equal decides about two loads of one address that no other task writes.
func (d *dominator) same(f *function, x, y ssa.Value, equal func(x, y *ssa.UnOp, mem pointsto.Set) bool) bool {
	if x == y {
		return true
	}
	if f.num.number(x) != f.num.number(y) {
		return false
	}
	xs, ys := operands(x), operands(y)
	if len(xs) != len(ys) {
		return false
	}
	if u, ok := isLoad(x); ok {
		v, ok := isLoad(y)
		if !ok {
			return false
		}
		mem := d.a.Points.Points(u.X)
		if !d.a.Stable(mem) || !equal(u, v, mem) {
			return false
		}
	}
	for i := range xs {
		if !d.same(f, xs[i], ys[i], equal) {
			return false
		}
	}
	return true
}
