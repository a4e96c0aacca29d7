package optimize

import (
	"path/filepath"
	"reflect"

	"taskinstr/internal/site"
	"taskinstr/internal/splice"
)

// Package returns the plan of one package, by import path; nil if it changes nothing.
func (p *Plan) Package(path string) *splice.Plan {
	d := &draft{Plan: p, path: path, out: &splice.Plan{Files: map[string]string{}, Fates: map[site.Key]splice.Fate{}}, stands: map[site.Key][]site.Key{}}
	d.fates()
	d.covers()
	for _, r := range p.Redirects {
		if r.Pkg == path {
			d.redirect(r)
		}
	}
	d.lend()
	d.standing()
	for _, in := range p.Inserts {
		if in.Pkg == path {
			d.insert(in)
		}
	}
	for _, l := range p.Leaks {
		if l.Pkg == path {
			d.out.Leaks = append(d.out.Leaks, splice.Leak{At: l.At, Type: l.Type, Writer: l.Writer})
			d.file(l.File)
		}
	}
	for _, l := range p.QuietLoads {
		if l.Pkg == path {
			d.out.Loads = append(d.out.Loads, splice.Load{At: l.At, Type: l.Type})
			d.file(l.File)
		}
	}
	out := d.out
	out.Overwrites = p.Overwrites
	if p.explain {
		out.Why = p.why(path)
	}
	if out.Empty() {
		return nil
	}
	return out
}

// A draft is the plan of one package while it is written: a part of the plan of all packages, with keys instead
// of numbers of sites.
type draft struct {
	*Plan
	path   string
	out    *splice.Plan
	stands map[site.Key][]site.Key // the accesses that a check covers beside its own
}

// key returns the key of a site in the plan of a package.
func (d *draft) key(i int) site.Key { return d.Analysis.Sites.List[i].Key.Site() }

// fates writes the fates that change a check. Line directives may give sites of different files one
// key: if their fates do not agree, the checks stay.
func (d *draft) fates() {
	out, clash := d.out, map[site.Key]bool{}
	each := func(do func(k site.Key, t splice.Fate)) {
		for i, f := range d.Fates {
			if s := d.Analysis.Sites.List[i]; s.Pkg.Path() == d.path {
				do(s.Key.Site(), splice.Fate{Omit: f.Kind == Removed, Flag: f.Flag, Final: f.Final, Pooled: f.Pooled, Once: f.Once, Gather: f.Gather, Down: f.Down, Len: f.Len, Back: f.Back})
			}
		}
	}
	each(func(k site.Key, t splice.Fate) {
		if keeps(t) {
			return // most fates; they stay out of the table
		}
		old, ok := out.Fates[k]
		if ok && !reflect.DeepEqual(old, t) {
			clash[k] = true
		}
		out.Fates[k] = t
	})
	each(func(k site.Key, t splice.Fate) {
		if _, ok := out.Fates[k]; ok && keeps(t) {
			clash[k] = true
		}
	})
	for k := range clash {
		out.Fates[k] = splice.Fate{}
	}
}

// covers notes which checks stand for the package's sites, and the files of the sites.
func (d *draft) covers() {
	for i, f := range d.Fates {
		s := d.Analysis.Sites.List[i]
		if s.Pkg.Path() != d.path {
			continue
		}
		for _, by := range f.Covers() {
			c := d.key(by)
			d.stands[c] = append(d.stands[c], s.Key.Site())
		}
		d.file(d.Analysis.Program().Fset.PositionFor(s.Pos, false).Filename)
	}
}

// redirect writes a call that goes to a clone, and notes which checks stand for the clone's accesses.
func (d *draft) redirect(r Redirect) {
	c := r.Call
	if r.Wide >= 0 {
		c.Wide = &splice.Wide{Site: d.key(r.Wide), Back: r.Back, Len: r.Len}
		for _, i := range r.For {
			c.Wide.For = append(c.Wide.For, d.key(i))
		}
	}
	for k, list := range r.By {
		for _, by := range list {
			d.stands[d.key(by)] = append(d.stands[d.key(by)], d.key(r.Sites[k]))
		}
	}
	d.out.Calls = append(d.out.Calls, c)
	d.file(r.File)
	for _, i := range r.Sites {
		d.file(d.Analysis.Program().Fset.PositionFor(d.Analysis.Sites.List[i].Pos, false).Filename)
	}
}

// lend writes the Borrowers, and the calls that go to their copies.
func (d *draft) lend() {
	for _, o := range d.Borrowers {
		if o.Pkg != d.path {
			continue
		}
		c := splice.Borrower{Func: o.Func, Lent: o.Lent}
		for _, i := range o.Sites {
			c.Omit = append(c.Omit, d.key(i))
		}
		d.out.Borrowers = append(d.out.Borrowers, c)
		d.file(o.File)
	}
	for _, l := range d.Lent {
		if l.Pkg == d.path {
			d.out.Lent = append(d.out.Lent, l.At)
			d.file(l.File)
		}
	}
}

// standing writes for which accesses each check stands, and drops the fates that say nothing.
func (d *draft) standing() {
	fates := d.out.Fates
	for c, list := range d.stands {
		t := fates[c]
		t.For = list
		fates[c] = t
	}
	for k, t := range fates {
		if keeps(t) && t.For == nil {
			delete(fates, k)
		}
	}
}

// insert writes text that is inserted, with the sites and loads that its checks cover.
func (d *draft) insert(in Insert) {
	t := splice.Insert{File: filepath.Base(in.File), Line: in.Line, Col: in.Col, Flat: in.Flat, Text: in.Text, Flags: in.Flags, Gathers: in.Gathers, Arrays: in.Arrays, Calls: in.Calls}
	for k, list := range in.Sites {
		var keys []site.Key
		for _, i := range list {
			keys = append(keys, d.key(i))
		}
		if in.Loads != nil {
			for _, l := range in.Loads[k] {
				keys = append(keys, l.Key.Site())
				d.file(l.File)
			}
		}
		t.Sites = append(t.Sites, keys)
	}
	d.out.Inserts = append(d.out.Inserts, t)
}

// why returns the reasons for the checks that the program makes: the fate, and behind it the
// reason of each pass.
func (p *Plan) why(path string) map[site.Key]string {
	out := map[site.Key]string{}
	for i, f := range p.Fates {
		s := p.Analysis.Sites.List[i]
		if s.Pkg.Path() != path || f.Kind == Removed {
			continue
		}
		text := f.Kind.String()
		if f.Kind == Guarded {
			text += " | " + f.Pass + ": " + f.Reason
		}
		if f.Kind == Kept && f.Notes == nil {
			text += " | plan: " + f.Reason
		}
		for _, n := range f.Notes {
			text += " | " + n.Pass + ": " + n.Reason
		}
		out[s.Key.Site()] = text
	}
	return out
}

// keeps reports whether the fate leaves the site's check as it is.
func keeps(t splice.Fate) bool {
	return !t.Omit && t.Flag == "" && t.Final == "" && t.Pooled == "" && t.Len == 0
}

// file notes the digest of a file with sites or calls that the plan decides about.
func (d *draft) file(name string) {
	base := filepath.Base(name)
	if _, ok := d.out.Files[base]; ok {
		return
	}
	if text, ok := d.Analysis.Program().Text(name); ok {
		d.out.Files[base] = site.Digest(text)
	}
}
