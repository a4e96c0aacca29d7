package optimize

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass"
)

// Neighbouring fields of one struct, and elements of one array, are checked
// together where their accesses follow each other for certain: the check of the
// first, which is that of the lowest address, becomes one of all their bytes.
// Between them nothing may panic, order tasks, or change the locks held; so all of
// the bytes are accessed, in one step.

// A field is where an access lies: size bytes at an offset from a base.
type field struct {
	base      ssa.Value
	off, size int64
}

// sizes are those of the 64-bit targets, which agree.
var sizes = types.SizesFor("gc", "amd64")

// fieldOf returns where addr lies.
func fieldOf(addr ssa.Value) (f field, ok bool) {
	p, ok := addr.Type().Underlying().(*types.Pointer)
	if !ok || !concrete(p.Elem()) {
		return f, false
	}
	f.size = sizes.Sizeof(p.Elem())
	for f.base = addr; ; {
		switch v := f.base.(type) {
		case *ssa.FieldAddr:
			st := v.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
			var list []*types.Var
			for i := range v.Field + 1 {
				if !concrete(st.Field(i).Type()) {
					return f, false
				}
				list = append(list, st.Field(i))
			}
			f.off += sizes.Offsetsof(list)[v.Field]
			f.base = v.X
			continue
		case *ssa.IndexAddr:
			p, isPointer := v.X.Type().Underlying().(*types.Pointer)
			c, isConst := v.Index.(*ssa.Const)
			if isPointer && isConst {
				f.off += c.Int64() * sizes.Sizeof(p.Elem().Underlying().(*types.Array).Elem())
				f.base = v.X
				continue
			}
		}
		return f, f.base != addr && f.size > 0
	}
}

// concrete reports whether the size of t is known.
func concrete(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.TypeParam:
		return false
	case *types.Array:
		return concrete(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if !concrete(u.Field(i).Type()) {
				return false
			}
		}
	case *types.Named:
		switch u.Underlying().(type) {
		case *types.Struct, *types.Array:
			return concrete(u.Underlying())
		}
	}
	return true
}

// mergeFields makes checks of f's accesses longer, and leaves out those that they
// then include.
func (d *dominator) mergeFields(f *dominated) {
	if !d.m.wide() {
		return
	}
	for k, a := range f.list {
		if !d.canCover(a.site) || d.m.Fates[a.site].Len > 0 || len(d.sites(a.site)) != 1 {
			continue
		}
		first, ok := fieldOf(a.Addr)
		if !ok {
			continue
		}
		end := first.off + first.size
		for _, b := range f.list[k+1:] {
			if b.Instr.Block() != a.Instr.Block() {
				break
			}
			next, ok := fieldOf(b.Addr)
			if !ok || b.write != a.write || next.off != end || next.base != first.base || b.site == a.site || !d.m.isOpen(b.site) || len(d.sites(b.site)) != 1 {
				continue
			}
			if d.m.twin(b.site) >= 0 && !b.write || !d.follows(f, a, b) {
				continue
			}
			end = next.off + next.size
			verb := "read"
			if a.write {
				verb = "write"
			}
			d.m.cover(b.site, a.site, fmt.Sprintf("checked with its neighbour, the %s at %s", verb, d.m.at(a.site, b.site)))
			d.m.Fates[a.site].Len = end - first.off
		}
	}
}

func (d *dominator) sites(i int) []*domAccess {
	var list []*domAccess
	for _, x := range d.m.a.Sites.List[i].Accesses {
		if f := d.funcs[x.Fn]; f != nil {
			list = append(list, f.bySite[i]...)
		} else {
			list = append(list, nil)
		}
	}
	return list
}

// follows reports whether b happens for certain once a does, in the same step.
func (d *dominator) follows(f *dominated, a, b *domAccess) bool {
	if !a.write && d.stmts.late(d.m.a.Sites.List[a.site], f.fn, anyCall) || !b.write && d.stmts.late(d.m.a.Sites.List[b.site], f.fn, anyCall) {
		return false
	}
	can := &known{num: f.strict, have: map[int]bool{}}
	can.used(a.Addr)
	return d.spans.behind(a.Instr, b.Instr, func(in ssa.Instruction, sync ssapass.Sync) bool { return d.spans.quiet(in, can) })
}
