package optimize

import "fmt"

// Check verifies that each removed check has a proof or a live cover, that each guarded
// one has its flag, and that every pass did only things that its row of the table permits.
func (p *Plan) Check() error {
	if len(p.Fates) != len(p.Analysis.Sites.List) {
		return fmt.Errorf("plan: %d fates for %d sites", len(p.Fates), len(p.Analysis.Sites.List))
	}
	type flag struct{ pkg, file, name, pass string }
	flags := map[flag]bool{}
	for _, in := range p.Inserts {
		for _, f := range append(in.Flags[:len(in.Flags):len(in.Flags)], in.Gathers...) {
			flags[flag{in.Pkg, in.File, f, in.Pass}] = true
		}
		if len(in.Calls) > 0 && (in.Flat || len(in.Flags) != 1) {
			return fmt.Errorf("plan: calls of the insert at %s:%d:%d have no flag of the loop", in.File, in.Line, in.Col)
		}
		for k, list := range in.Sites {
			if len(list) == 0 && (in.Loads == nil || len(in.Loads[k]) == 0) {
				return fmt.Errorf("plan: a check of the insert at %s:%d:%d replaces none", in.File, in.Line, in.Col)
			}
			for _, i := range list {
				if i < 0 || i >= len(p.Fates) {
					return fmt.Errorf("plan: insert at %s:%d:%d names site %d of %d", in.File, in.Line, in.Col, i, len(p.Fates))
				}
			}
		}
	}
	for i := range p.Fates {
		f, s := &p.Fates[i], p.Analysis.Sites.List[i]
		wrong := func(format string, args ...any) error {
			return fmt.Errorf("plan: %s:%d:%d: %s: %s by pass %q: %s", s.Key.File, s.Key.Line, s.Key.Col, s.Key.Expr, f.Kind, f.Pass, fmt.Sprintf(format, args...))
		}
		if f.Kind == Kept {
			if f.Pass != "" || f.By != -1 || f.More != nil || f.Flag != "" || f.Once {
				return wrong("a kept check depends on something")
			}
			continue
		}
		if !p.Set.Has(f.Pass) {
			return wrong("the pass was not chosen")
		}
		pass := &Passes[index(f.Pass)]
		if f.Reason == "" {
			return wrong("no reason")
		}
		if len(s.Accesses) == 0 {
			return wrong("nothing is known of the access")
		}
		if f.Kind == Guarded {
			switch {
			case !pass.Guards:
				return wrong("the pass has no flags")
			case f.By != -1 || f.More != nil:
				return wrong("has a flag and a cover")
			case !flags[flag{s.Pkg.Path(), s.Key.File, f.Flag, f.Pass}]:
				return wrong("no insert declares the flag %q", f.Flag)
			}
			continue
		}
		if f.Flag != "" || f.Once {
			return wrong("has a flag")
		}
		if f.By == -1 {
			if !pass.Proves {
				return wrong("has neither cover nor proof")
			}
			continue
		}
		for _, by := range f.Covers() {
			if by < 0 || by >= len(p.Fates) || by == i {
				return wrong("covered by site %d", by)
			}
			c := p.Analysis.Sites.List[by]
			switch {
			case p.Fates[by].Kind != Kept && !p.Fates[by].Gather:
				return wrong("its cover at %s:%d:%d is %s", c.Key.File, c.Key.Line, c.Key.Col, p.Fates[by].Kind)
			case s.Key.Write && !c.Key.Write:
				return wrong("a write covered by the read at %s:%d:%d", c.Key.File, c.Key.Line, c.Key.Col)
			case s.Pkg.Path() != c.Pkg.Path():
				return wrong("its cover is in package %s", c.Pkg.Path())
			}
		}
	}
	return nil
}
