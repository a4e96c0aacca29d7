package dominate

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/layout"
	"taskinstr/ssapass"
)

// Neighbouring fields of one struct, and elements of one array, are checked together if
// their accesses follow each other for certain. The check of the first access, which is
// at the lowest address, becomes a check of all their bytes. Between the accesses nothing
// may panic, order tasks, or change the locks held. So all of the bytes are accessed, in
// one step.

// A field is the memory of an access: size bytes at an offset from a base.
type field struct {
	base      ssa.Value
	off, size int64
}

// fieldOf returns the memory at addr; ok is false if it is no field or element, or if its
// size is not known.
func fieldOf(addr ssa.Value) (f field, ok bool) {
	p, ok := addr.Type().Underlying().(*types.Pointer)
	if !ok || !layout.Concrete(p.Elem()) {
		return f, false
	}
	f.size = layout.Size(p.Elem())
	for f.base = addr; ; {
		switch v := f.base.(type) {
		case *ssa.FieldAddr:
			st := v.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
			for i := range v.Field + 1 {
				if !layout.Concrete(st.Field(i).Type()) {
					return f, false
				}
			}
			f.off += layout.Offset(st, v.Field)
			f.base = v.X
			continue
		case *ssa.IndexAddr:
			p, isPointer := v.X.Type().Underlying().(*types.Pointer)
			c, isConst := v.Index.(*ssa.Const)
			if !isPointer || !isConst {
				break
			}
			if elem := p.Elem().Underlying().(*types.Array).Elem(); layout.Concrete(elem) {
				f.off += c.Int64() * layout.Size(elem)
				f.base = v.X
				continue
			}
		}
		return f, f.base != addr && f.size > 0
	}
}

// mergeFields makes checks of f's accesses longer, and removes the checks that they then
// include.
func (d *dominator) mergeFields(f *function) {
	if !d.b.Is64Bit() {
		return
	}
	for k, a := range f.list {
		if !d.b.CanCover(a.site) || d.b.Fate(a.site).Len > 0 || len(d.sites(a.site)) != 1 {
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
			if !ok || b.write != a.write || next.off != end || next.base != first.base || b.site == a.site || !d.b.IsOpen(b.site) || len(d.sites(b.site)) != 1 {
				continue
			}
			if d.b.Twin(b.site) >= 0 && !b.write || !d.follows(f, a, b) {
				continue
			}
			end = next.off + next.size
			d.b.Cover(b.site, a.site, d.describe("checked with its neighbour, the %s at %s", a.site, b.site))
			d.b.Widen(a.site, end-first.off)
		}
	}
}

// sites returns the accesses of site i, with nil for each that was not collected.
func (d *dominator) sites(i int) []*access {
	var list []*access
	for _, x := range d.a.Sites.List[i].Accesses {
		if f := d.funcs[x.Fn]; f != nil {
			list = append(list, f.bySite[i]...)
		} else {
			list = append(list, nil)
		}
	}
	return list
}

// follows reports whether b happens for certain once a has happened, in the same step.
func (d *dominator) follows(f *function, a, b *access) bool {
	if !a.write && d.stmts.delayed(d.a.Sites.List[a.site], f.fn, anyCall) || !b.write && d.stmts.delayed(d.a.Sites.List[b.site], f.fn, anyCall) {
		return false
	}
	can := &safe{num: f.strict, have: map[int]bool{}}
	can.used(a.Addr)
	return d.paths.reach(a.Instr, b.Instr, func(in ssa.Instruction, sync ssapass.Sync) bool { return d.paths.quiet(in, can) })
}
