package ssapass

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"hash/maphash"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
)

// A Site is an access of the source with its SSA instructions: one access for each
// instance of a generic function and for each test variant of a package.
type Site struct {
	Key      Key
	Pos      token.Pos
	Pkg      *types.Package
	Accesses []Access
	// Dead: no function around the access can run.
	Dead bool
	// Unseen: the site is in a generic function whose instances in other packages no instance here
	// represents. It has no accesses, but may run.
	Unseen bool
	// Fresh: the write initializes memory that the program has just allocated, for a
	// literal, for the collected arguments of a call, or for a variable.
	Fresh bool

	next *Site    // with the same hash of the key
	self [1]*Site // the site itself, for Sites.Of
}

// An Access is one SSA instruction that reads or writes memory.
type Access struct {
	Fn *ssa.Function
	// Instr is a load (UnOp), a Store, a Convert, or a call of append, copy, clear or len.
	// At a fresh site it is the Alloc or Slice that makes the memory.
	Instr ssa.Instruction
	// Addr is the address. With Key.Elems it is the slice, map or pointer to an array that
	// has the elements.
	Addr ssa.Value
}

// Sites lists the accesses of instrumented packages that have an expression in the
// source.
type Sites struct {
	List  []*Site
	seed  maphash.Seed
	byKey map[uint64]*Site // by the hash of the key
	of    map[ssa.Instruction]*Site
	more  map[ssa.Instruction][]*Site // instead of field of, where an instruction has several sites
}

// Lookup returns the site with this key, or nil if the analysis does not know the
// access. Such an access stays checked.
func (s *Sites) Lookup(k Key) *Site {
	t := s.byKey[maphash.Comparable(s.seed, k)]
	for t != nil && t.Key != k {
		t = t.next
	}
	return t
}

// Of returns the sites of the instruction.
func (s *Sites) Of(i ssa.Instruction) []*Site {
	if t := s.of[i]; t != nil {
		return t.self[:]
	}
	return s.more[i]
}

// Sites finds the access sites of the instrumented packages.
func (p *Program) Sites() *Sites {
	s := newSites()
	names := map[string]string{}
	x := newAccessIndex(p)
	for _, name := range p.fileNames() {
		src := p.sources[name]
		for i, f := range src.files {
			if i > 0 && src.files[i] == src.files[i-1] && src.pkgs[i].PkgPath == src.pkgs[i-1].PkgPath {
				continue // a test variant shares the syntax tree, and thus all positions
			}
			if !Instrumented(src.pkgs[i].PkgPath) {
				continue
			}
			w := &siteWalk{p: p, sites: s, x: x, info: src.pkgs[i].TypesInfo, pkg: src.pkgs[i].Types, text: src.text, names: names, base: p.Fset.File(f.FileStart).Base()}
			w.file(f)
		}
	}
	return s
}

// add adds accesses to the site with the key at position pos.
func (s *Sites) add(w *siteWalk, pos token.Pos, expr string, write, elems bool, accs []Access) {
	if len(accs) == 0 && !w.dead {
		return
	}
	k := NewKey(w.p.Fset, pos, expr, write, elems)
	t := s.Lookup(k)
	if t == nil {
		t = s.insert(&Site{Key: k, Pos: pos, Pkg: w.pkg, Dead: true})
	}
	t.Dead = t.Dead && w.dead
	t.Unseen = t.Unseen || w.unseen
	for _, a := range accs {
		if !slices.Contains(t.Accesses, a) {
			t.Accesses = append(t.Accesses, a)
			s.link(a.Instr, t)
		}
	}
}

func newSites() *Sites {
	return &Sites{seed: maphash.MakeSeed(), byKey: map[uint64]*Site{}, of: map[ssa.Instruction]*Site{}, more: map[ssa.Instruction][]*Site{}}
}

// insert adds a site with a new key.
func (s *Sites) insert(t *Site) *Site {
	t.self[0] = t
	h := maphash.Comparable(s.seed, t.Key)
	t.next, s.byKey[h] = s.byKey[h], t
	s.List = append(s.List, t)
	return t
}

// link notes that the instruction belongs to the site.
func (s *Sites) link(in ssa.Instruction, t *Site) {
	list := s.Of(in)
	if len(list) == 0 {
		s.of[in] = t
		return
	}
	s.more[in] = append(slices.Clip(list), t)
	delete(s.of, in)
}

// An accessIndex finds SSA instructions by source position.
type accessIndex struct {
	loads, stores map[token.Pos][]Access
	allocs        map[token.Pos][]Access // allocations of variables and literals
	fields        map[token.Pos][]chain  // operands of field selections
	calls         map[token.Pos][]callAt
	ranges        map[ast.Expr][]Access // loads of elements, by the value expression of the range clause
	live          map[ast.Node]bool     // syntax of functions that may run
}

// A chain is a value with its function.
type chain struct {
	fn *ssa.Function
	v  ssa.Value
}

type callAt struct {
	fn *ssa.Function
	in ssa.Instruction
}

func newAccessIndex(p *Program) *accessIndex {
	x := &accessIndex{
		loads: map[token.Pos][]Access{}, stores: map[token.Pos][]Access{}, allocs: map[token.Pos][]Access{}, fields: map[token.Pos][]chain{},
		calls: map[token.Pos][]callAt{}, ranges: map[ast.Expr][]Access{}, live: map[ast.Node]bool{},
	}
	sited := map[*types.Package]bool{} // other packages have no syntax, and so no sites
	for _, src := range p.sources {
		for _, pkg := range src.pkgs {
			sited[pkg.Types] = Instrumented(pkg.PkgPath)
		}
	}
	for _, f := range p.funcs {
		if !sited[packageOf(f)] {
			continue
		}
		if p.unrepresented(f) {
			continue // no decision holds for the instances of other packages
		}
		if n := f.Syntax(); n != nil {
			x.live[n] = true
		} else if f.Synthetic != "package initializer" {
			continue
		}
		for in := range instrs.Of(f) {
			x.instr(f, in)
		}
	}
	return x
}

// packageOf returns the package that declares f, or the origin of f if it is an
// instance. It returns nil for wrappers that belong to no package.
func packageOf(f *ssa.Function) *types.Package {
	f = origin(outermost(f))
	if f.Pkg != nil {
		return f.Pkg.Pkg
	}
	if o := f.Object(); o != nil {
		return o.Pkg()
	}
	return nil
}

// outermost returns the declared function in which f is a literal, or f itself.
func outermost(f *ssa.Function) *ssa.Function {
	for f.Parent() != nil {
		f = f.Parent()
	}
	return f
}

// origin returns the generic function of which f is an instance, or f itself.
func origin(f *ssa.Function) *ssa.Function { return cmp.Or(f.Origin(), f) }

func (x *accessIndex) instr(f *ssa.Function, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op != token.MUL {
			return
		}
		a := Access{f, in, in.X}
		if pos := in.Pos(); pos.IsValid() {
			x.loads[pos] = append(x.loads[pos], a)
			return
		}
		switch addr := in.X.(type) {
		case *ssa.Phi, *ssa.Alloc: // new instance of a loop variable; a named result
			if pos := addr.Pos(); pos.IsValid() {
				x.loads[pos] = append(x.loads[pos], a)
			}
		case *ssa.IndexAddr:
			for _, r := range *in.Referrers() {
				if d, ok := r.(*ssa.DebugRef); ok {
					x.ranges[d.Expr] = append(x.ranges[d.Expr], Access{f, in, addr.X})
				}
			}
		}
	case *ssa.Alloc:
		x.allocs[in.Pos()] = append(x.allocs[in.Pos()], Access{f, in, in})
	case *ssa.Store:
		a := Access{f, in, in.Addr}
		x.stores[in.Pos()] = append(x.stores[in.Pos()], a)
	case *ssa.FieldAddr:
		x.fields[in.Pos()] = append(x.fields[in.Pos()], chain{f, in.X})
	case *ssa.Field:
		x.fields[in.Pos()] = append(x.fields[in.Pos()], chain{f, in.X})
	case *ssa.MakeClosure:
		if len(in.Bindings) == 1 {
			x.fields[in.Pos()] = append(x.fields[in.Pos()], chain{f, in.Bindings[0]})
		}
	case *ssa.Convert, ssa.CallInstruction:
		pos := in.Pos()
		if c, ok := in.(ssa.CallInstruction); ok {
			pos = c.Common().Pos()
		}
		x.calls[pos] = append(x.calls[pos], callAt{f, in})
	}
}
