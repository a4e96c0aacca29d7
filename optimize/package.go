package optimize

import (
	"path/filepath"

	"taskinstr/internal/site"
	"taskinstr/internal/splice"
	"taskinstr/ssapass"
)

// Package returns the plan of one package, by import path; nil if it changes nothing.
func (p *Plan) Package(path string) *splice.Plan {
	out := &splice.Plan{Files: map[string]string{}, Fates: map[site.Key]splice.Fate{}}
	// Line directives may give sites of different files one key: then their fates must
	// agree.
	clash := map[site.Key]bool{}
	stands := map[site.Key][]site.Key{}
	sites := p.Analysis.Sites.List
	for i, f := range p.Fates {
		s := sites[i]
		if s.Pkg.Path() != path {
			continue
		}
		k := s.Key.Site()
		t := splice.Fate{Omit: f.Kind == Removed, Flag: f.Flag, Once: f.Once, Gather: f.Gather, Down: f.Down, Len: f.Len, Back: f.Back}
		for _, by := range f.Covers() {
			c := sites[by].Key.Site()
			stands[c] = append(stands[c], k)
		}
		if old, ok := out.Fates[k]; ok && (old.Omit != t.Omit || old.Flag != t.Flag || old.Once != t.Once || old.Gather != t.Gather || old.Down != t.Down || old.Len != t.Len) {
			clash[k] = true
		}
		out.Fates[k] = t
		p.file(out, s)
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
		if !t.Omit && t.Flag == "" && t.For == nil && t.Len == 0 {
			delete(out.Fates, k)
		}
	}
	for _, in := range p.Inserts {
		if in.Pkg != path {
			continue
		}
		t := splice.Insert{File: filepath.Base(in.File), Line: in.Line, Col: in.Col, Flat: in.Flat, Text: in.Text, Flags: in.Flags, Gathers: in.Gathers, Arrays: in.Arrays, Calls: in.Calls}
		for _, list := range in.Sites {
			var keys []site.Key
			for _, i := range list {
				keys = append(keys, sites[i].Key.Site())
			}
			t.Sites = append(t.Sites, keys)
		}
		out.Inserts = append(out.Inserts, t)
	}
	if len(out.Fates)+len(out.Inserts) == 0 {
		return nil
	}
	return out
}

// file notes the digest of the file that holds the site.
func (p *Plan) file(out *splice.Plan, s *ssapass.Site) {
	prog := p.Analysis.Program()
	name := prog.Fset.PositionFor(s.Pos, false).Filename
	base := filepath.Base(name)
	if _, ok := out.Files[base]; ok {
		return
	}
	if text, ok := prog.Text(name); ok {
		out.Files[base] = site.Digest(text)
	}
}
