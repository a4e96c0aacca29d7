package escape

import (
	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/accessor"
	"taskinstr/optimize/builder"
	"taskinstr/ssapass/instrs"
)

// redirect has calls of accessors go to copies without checks where no other task can name the
// memory that the call accesses. Other callers of such a function, for example of a method with
// a local variable as its receiver, need its checks.
func redirect(b *builder.Builder) {
	find := accessor.NewFinder(b)
	for in := range instrs.All(b.Analysis.Program().Functions()) {
		c, ok := in.(*ssa.Call)
		if !ok {
			continue
		}
		x, r, ok := find.Call(c)
		if !ok {
			continue
		}
		if r.Sites, ok = find.Checks(x); !ok || len(r.Sites) == 0 {
			continue
		}
		for _, i := range r.Sites {
			p := accessor.Root(b.Analysis.Sites.List[i].Accesses[0].Addr)
			ok = ok && p != nil && !b.Analysis.SharedAt(b.Analysis.Points.Points(accessor.Argument(c, p)))
		}
		if ok {
			find.Redirect(r)
		}
	}
}
