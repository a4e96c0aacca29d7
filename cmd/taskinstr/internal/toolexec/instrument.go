package toolexec

import (
	"errors"
	"fmt"
	"slices"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/inline"
	"taskinstr/cmd/taskinstr/internal/scope"
	"taskinstr/cmd/taskinstr/internal/typecheck"
	"taskinstr/cmd/taskinstr/internal/unit"
	"taskinstr/internal/site"
	"taskinstr/internal/splice"
	"taskinstr/rt"
)

// generatedName is the base name of the file that is added to a package. A stack trace
// may show it: the compiler strips the file's folder, as it does for files that the go
// command generates (_cgo_gotypes.go).
const generatedName = splice.GeneratedName

// minLang is the language version that spliced code needs, for type parameters and their
// inference. Packages of an older version are raised to it. No construct changed its
// meaning up to go1.21; loop variables did in go1.22.
const minLang = "go1.21"

// instrument returns the output that replaces the call's files, or nil if nothing
// changes.
func instrument(c *call, o option.Set, sel *scope.Selection) (*output, error) {
	path := c.set["p"]
	if c.passes != nil {
		o.Passes = *c.passes
	}
	if c.counts {
		o.Stats = option.StatsChecks
	}
	in, err := c.input()
	if err != nil {
		return nil, err
	}
	out, ok, err := patchStd(in, o)
	if err != nil {
		return nil, err
	}
	if c.on("+") && path != site.RuntimeChecked || o.Wrapper == option.ByMark && !c.marked || !sel.Has(selectionPath(c)) || skip(path) {
		return out, nil
	}
	sources := unchanged(c.files)
	if ok {
		sources = out.sources
	}
	k, err := typeCheck(in, sources)
	if err != nil {
		var imp *typecheck.ImportError
		if errors.As(err, &imp) {
			return nil, unreadable(c, imp)
		}
		return nil, &sourceError{err}
	}
	if config := c.set["coveragecfg"]; config != "" {
		if err := hideCounters(config, k.Files); err != nil {
			return nil, err
		}
	}
	p, err := planOf(c, o, in, k)
	if err != nil {
		return nil, err
	}
	r := rewriting{c: c, o: o, std: out, sources: sources, k: k, kept: keepInlining(c, o, in, k, p.plan)}
	unplanned := func(f *unit.Failure) (*output, error) { return r.carryOut(fallback(f)) }
	to, err := r.carryOut(p)
	if p.own && p.plan != nil {
		if err == nil {
			to.unplanned = unplanned
			return to, nil
		}
		to, err = unplanned(&unit.Failure{Cause: unit.Line(err.Error())})
	}
	if err != nil {
		return nil, defect(c, err.Error())
	}
	return to, nil
}

// A rewriting is a compilation with checks, as far as it does not depend on the plan.
type rewriting struct {
	c       *call
	o       option.Set
	std     *output // with the patches of a package of std; nil: none
	sources []source
	k       *typecheck.Package
	kept    *inline.Result
}

// carryOut returns the output with the checks of a plan.
func (r *rewriting) carryOut(p planned) (*output, error) {
	to := r.std
	spliced, err := spliceChecks(r.c, r.sources, r.k, p.plan, r.kept, &r.o)
	if err != nil {
		return nil, err
	}
	if spliced != nil {
		to = spliced
	}
	if to == nil {
		to = &output{sources: r.sources}
	}
	to.checkptr = !rt.TraitsOf(r.o.Detector).Shadow
	to.members, to.failure = append(slices.Clone(p.members), finalMembers(r.c.set["p"], p.plan)...), p.failure
	to.keep(r.kept)
	return to, nil
}

// unreadable explains why export data cannot be read. The usual reason is a toolchain
// that is newer than the one that built this program.
func unreadable(c *call, err *typecheck.ImportError) error {
	return fmt.Errorf("%s: %w; %s", packagePath(c), err, reinstall(c.set["goversion"]))
}
