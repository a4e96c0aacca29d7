package optimize

import (
	"path/filepath"
	"reflect"

	"taskinstr/internal/site"
	"taskinstr/internal/splice"
)

// Package returns the plan of one package, by import path; nil if it changes nothing.
func (p *Plan) Package(path string) *splice.Plan {
	out := &splice.Plan{Files: map[string]string{}, Fates: map[site.Key]splice.Fate{}}
	// Line directives may give sites of different files one key: then their fates must
	// agree.
	clash := map[site.Key]bool{}
	stands := map[site.Key][]site.Key{}
	sites := p.Analysis.Sites.List
	each := func(do func(k site.Key, t splice.Fate)) {
		for i, f := range p.Fates {
			if s := sites[i]; s.Pkg.Path() == path {
				do(s.Key.Site(), splice.Fate{Omit: f.Kind == Removed, Flag: f.Flag, Once: f.Once, Gather: f.Gather, Down: f.Down, Len: f.Len, Back: f.Back})
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
	for i, f := range p.Fates {
		s := sites[i]
		if s.Pkg.Path() != path {
			continue
		}
		for _, by := range f.Covers() {
			c := sites[by].Key.Site()
			stands[c] = append(stands[c], s.Key.Site())
		}
		p.file(out, p.Analysis.Program().Fset.PositionFor(s.Pos, false).Filename)
	}
	for _, r := range p.Redirects {
		if r.Pkg != path {
			continue
		}
		key := func(i int) site.Key { return sites[i].Key.Site() }
		c := r.Call
		if r.Wide >= 0 {
			c.Wide = &splice.Wide{Site: key(r.Wide), Back: r.Back, Len: r.Len}
			for _, i := range r.For {
				c.Wide.For = append(c.Wide.For, key(i))
			}
		}
		for k, list := range r.By {
			for _, by := range list {
				stands[key(by)] = append(stands[key(by)], key(r.Sites[k]))
			}
		}
		out.Calls = append(out.Calls, c)
		p.file(out, r.File)
		for _, i := range r.Sites {
			p.file(out, p.Analysis.Program().Fset.PositionFor(sites[i].Pos, false).Filename)
		}
	}
	for k := range clash {
		out.Fates[k] = splice.Fate{}
	}
	for c, list := range stands {
		t := out.Fates[c]
		t.For = list
		out.Fates[c] = t
	}
	for k, t := range out.Fates {
		if keeps(t) && t.For == nil {
			delete(out.Fates, k)
		}
	}
	for _, in := range p.Inserts {
		if in.Pkg != path {
			continue
		}
		t := splice.Insert{File: filepath.Base(in.File), Line: in.Line, Col: in.Col, Flat: in.Flat, Text: in.Text, Flags: in.Flags, Gathers: in.Gathers, Arrays: in.Arrays, Calls: in.Calls}
		for k, list := range in.Sites {
			var keys []site.Key
			for _, i := range list {
				keys = append(keys, sites[i].Key.Site())
			}
			if in.Loads != nil {
				for _, l := range in.Loads[k] {
					keys = append(keys, l.Key.Site())
					p.file(out, l.File)
				}
			}
			t.Sites = append(t.Sites, keys)
		}
		out.Inserts = append(out.Inserts, t)
	}
	if p.explain {
		out.Why = p.why(path)
	}
	if len(out.Fates)+len(out.Inserts)+len(out.Calls)+len(out.Why) == 0 {
		return nil
	}
	return out
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
func keeps(t splice.Fate) bool { return !t.Omit && t.Flag == "" && t.Len == 0 }

// file notes the digest of a file with sites or calls that the plan decides about.
func (p *Plan) file(out *splice.Plan, name string) {
	base := filepath.Base(name)
	if _, ok := out.Files[base]; ok {
		return
	}
	if text, ok := p.Analysis.Program().Text(name); ok {
		out.Files[base] = site.Digest(text)
	}
}
