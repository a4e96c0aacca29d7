package toolexec

import (
	"slices"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/inline"
	"taskinstr/cmd/taskinstr/internal/typecheck"
	"taskinstr/internal/site"
	"taskinstr/internal/splice"
	"taskinstr/rt"
)

// skip reports whether a package gets no checks at all.
func skip(path string) bool {
	_, skip := site.Skip(path)
	return skip
}

// spliceChecks returns the sources with checks spliced in, or nil if the package has no
// access to check.
func spliceChecks(c *call, sources []source, k *typecheck.Package, plan *splice.Plan, kept *inline.Result, o *option.Set) (*output, error) {
	config := splice.Config{
		Source: site.Source{
			Fset: k.Fset, Files: k.Files, Src: k.Texts, Path: c.set["p"], Pkg: k.Types, Info: k.Info, GoVersion: c.set["lang"],
		},
		Filename: trimmer(c.set["trimpath"]),
		Plan:     plan,
		Count:    o.Stats == option.StatsChecks,
		Shadow:   rt.TraitsOf(o.Detector).Shadow,
		Branches: o.Branches == option.BranchesOn,
		// Go 1.25 looks for the language version of a loop by position.
		FreshLoops:  langLess(c.set["goversion"], "go1.26"),
		Unoptimized: c.on("N"),
	}
	if kept != nil {
		config.Inlined = kept.Inlined
		if kept.Checkptr() && !config.Shadow {
			config.NoCheckptr = kept.NoCheckptr
		}
	}
	r, err := splice.Package(config)
	if err != nil {
		return nil, err
	}
	out := &output{sources: slices.Clone(sources), minLang: minLang}
	changed := false
	for i, data := range r.Files {
		if data != nil {
			out.sources[i].data = data
			changed = true
		}
	}
	if !changed {
		return nil, nil
	}
	if r.Generated != nil {
		out.sources = append(out.sources, source{name: generatedName, data: r.Generated})
	}
	return out, nil
}
