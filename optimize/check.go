package optimize

import "fmt"

// A flag is a flag that an insert declares.
type flag struct{ pkg, file, name, pass string }

// Check verifies that each removed check has a proof or a live cover, that each guarded
// one has its flag, and that every pass did only things that its row of the table permits.
func (p *Plan) Check() error {
	if len(p.Fates) != len(p.Analysis.Sites.List) {
		return fmt.Errorf("plan: %d fates for %d sites", len(p.Fates), len(p.Analysis.Sites.List))
	}
	flags := map[flag]bool{}
	for _, in := range p.Inserts {
		for _, f := range append(in.Flags[:len(in.Flags):len(in.Flags)], in.Gathers...) {
			flags[flag{in.Pkg, in.File, f, in.Pass}] = true
		}
		if wrong := p.wrongInsert(in); wrong != "" {
			return fmt.Errorf("plan: the insert at %s:%d:%d: %s", in.File, in.Line, in.Col, wrong)
		}
	}
	for _, r := range p.Redirects {
		if wrong := p.wrongRedirect(r); wrong != "" {
			return fmt.Errorf("plan: the call at %s:%d:%d, redirected by pass %q: %s", r.Call.At.File, r.Call.At.Line, r.Call.At.Col, r.Pass, wrong)
		}
	}
	for _, x := range p.Borrowers {
		if wrong := p.wrongBorrower(x); wrong != "" {
			return fmt.Errorf("plan: the copy of the function at %s:%d:%d by pass %q: %s", x.Func.File, x.Func.Line, x.Func.Col, x.Pass, wrong)
		}
	}
	for i := range p.Fates {
		if wrong := p.wrongFate(i, flags); wrong != "" {
			f, k := &p.Fates[i], p.Analysis.Sites.List[i].Key
			return fmt.Errorf("plan: %s:%d:%d: %s: %s by pass %q: %s", k.File, k.Line, k.Col, k.Expr, f.Kind, f.Pass, wrong)
		}
	}
	return nil
}

// wrongInsert returns what is wrong with an insert, "" if nothing is.
func (p *Plan) wrongInsert(in Insert) string {
	if len(in.Calls) > 0 && (in.Flat || len(in.Flags) != 1) {
		return "its calls have no flag of the loop"
	}
	for k, list := range in.Sites {
		if len(list) == 0 && (in.Loads == nil || len(in.Loads[k]) == 0) {
			return "a check replaces none"
		}
		for _, i := range list {
			if i < 0 || i >= len(p.Fates) {
				return fmt.Sprintf("it names site %d of %d", i, len(p.Fates))
			}
		}
	}
	return ""
}

// wrongRedirect returns what is wrong with a call that goes to a copy, "" if nothing is.
func (p *Plan) wrongRedirect(r Redirect) string {
	if !p.Set.Has(r.Pass) {
		return "the pass was not chosen"
	}
	if len(r.Sites) == 0 {
		return "the call makes no checks"
	}
	if len(r.By) == 0 && r.Wide < 0 && r.With < 0 && !Passes[index(r.Pass)].Proves {
		return "has neither cover nor proof"
	}
	if len(r.By) > 0 && len(r.By) != len(r.Sites) {
		return "some sites have no covers"
	}
	for k, i := range r.Sites {
		if i < 0 || i >= len(p.Fates) {
			return fmt.Sprintf("it names site %d of %d", i, len(p.Fates))
		}
		if len(r.By) == 0 {
			continue
		}
		if len(r.By[k]) == 0 {
			return "a site has no cover"
		}
		for _, by := range r.By[k] {
			c := p.Analysis.Sites.List[by]
			switch {
			case p.Fates[by].Kind != Kept && !p.Fates[by].Gather:
				return fmt.Sprintf("its cover at %s:%d:%d is %s", c.Key.File, c.Key.Line, c.Key.Col, p.Fates[by].Kind)
			case c.Pkg.Path() != r.Pkg:
				return fmt.Sprintf("its cover is in package %s", c.Pkg.Path())
			case p.Analysis.Sites.List[i].Key.Write && !c.Key.Write:
				return fmt.Sprintf("a write covered by the read at %s:%d:%d", c.Key.File, c.Key.Line, c.Key.Col)
			}
		}
	}
	return ""
}

// wrongBorrower returns the defect of a function's copy in the plan, "" if the copy has none.
func (p *Plan) wrongBorrower(x Borrower) string {
	if !p.Set.Has(x.Pass) {
		return "the pass was not chosen"
	}
	if !Passes[index(x.Pass)].Proves {
		return "the pass has no proofs"
	}
	if len(x.Sites)+len(x.Lent) == 0 {
		return "it makes the checks of the function"
	}
	for _, i := range x.Sites {
		if i < 0 || i >= len(p.Fates) {
			return fmt.Sprintf("it names site %d of %d", i, len(p.Fates))
		}
		if s := p.Analysis.Sites.List[i]; s.Pkg.Path() != x.Pkg {
			return fmt.Sprintf("its access at %s:%d:%d is in package %s", s.Key.File, s.Key.Line, s.Key.Col, s.Pkg.Path())
		}
	}
	return ""
}

// wrongFate returns what is wrong with the fate of site i, "" if nothing is.
func (p *Plan) wrongFate(i int, flags map[flag]bool) string {
	f, s := &p.Fates[i], p.Analysis.Sites.List[i]
	if f.Kind == Kept {
		if f.Pass != "" || f.By != -1 || f.More != nil || f.Flag != "" || f.Final != "" || f.Pooled != "" || f.Once {
			return "a kept check depends on something"
		}
		return ""
	}
	if !p.Set.Has(f.Pass) {
		return "the pass was not chosen"
	}
	pass := &Passes[index(f.Pass)]
	if f.Reason == "" {
		return "no reason"
	}
	if len(s.Accesses) == 0 {
		return "nothing is known of the access"
	}
	if f.Kind == Guarded {
		switch {
		case f.By != -1 || f.More != nil:
			return "has a flag and a cover"
		case f.Final != "" || f.Pooled != "":
			if !pass.Proves || f.Flag != "" || f.Once || f.Final != "" && f.Pooled != "" {
				return "depends on a type without a proof"
			}
		case !pass.Guards:
			return "the pass has no flags"
		case !flags[flag{s.Pkg.Path(), s.Key.File, f.Flag, f.Pass}]:
			return fmt.Sprintf("no insert declares the flag %q", f.Flag)
		}
		return ""
	}
	if f.Flag != "" || f.Final != "" || f.Pooled != "" || f.Once {
		return "has a flag"
	}
	if f.By == -1 && !pass.Proves {
		return "has neither cover nor proof"
	}
	if f.By == -1 {
		return ""
	}
	return p.wrongCover(i)
}

// wrongCover returns what is wrong with the sites that cover site i, "" if nothing is.
func (p *Plan) wrongCover(i int) string {
	s := p.Analysis.Sites.List[i]
	for _, by := range p.Fates[i].Covers() {
		if by < 0 || by >= len(p.Fates) || by == i {
			return fmt.Sprintf("covered by site %d", by)
		}
		c := p.Analysis.Sites.List[by]
		switch {
		case p.Fates[by].Kind != Kept && !p.Fates[by].Gather:
			return fmt.Sprintf("its cover at %s:%d:%d is %s", c.Key.File, c.Key.Line, c.Key.Col, p.Fates[by].Kind)
		case s.Key.Write && !c.Key.Write:
			return fmt.Sprintf("a write covered by the read at %s:%d:%d", c.Key.File, c.Key.Line, c.Key.Col)
		case s.Pkg.Path() != c.Pkg.Path():
			return fmt.Sprintf("its cover is in package %s", c.Pkg.Path())
		}
	}
	return ""
}
