package toolexec

import (
	"go/types"
	"os"
	"path/filepath"
	"slices"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/archive"
	"taskinstr/cmd/taskinstr/internal/inline"
	"taskinstr/cmd/taskinstr/internal/typecheck"
	"taskinstr/cmd/taskinstr/internal/unit"
	"taskinstr/internal/splice"
)

// inlineMember is the name of the archive member with the functions that a plain build inlines.
const inlineMember = "taskinstr.inl"

// unprovenMember is the name of the archive member with the functions whose conversions of unsafe pointers can
// fail where they are inlined.
const unprovenMember = "taskinstr.ptr"

// inlineFlags leave inlining as the profile's only effect: calls of interfaces stay calls, loops are not
// aligned, and each edge of the profile counts. A check is about 70 nodes, so the budget keeps functions of
// up to ten checks. A budget of 2,000 saves 2 to 7 % of a program's time, for a tenth more time to build it.
const inlineFlags = "-d=pgodevirtualize=0,alignhot=0,pgoinlinecdfthreshold=100,pgoinlinebudget=700"

// keepInlining returns the profile with which the compiler inlines the functions that it inlines in a plain
// build, and the facts for importers. It returns nil for a compilation without inlining or with a profile of the user's, and for
// packages of the runtime, which the compiler compiles by rules of their own.
func keepInlining(c *call, o option.Set, in *Input, k *typecheck.Package, plan *splice.Plan) *inline.Result {
	if o.Inline == option.InlineOff || c.on("N") || c.on("+") || c.set["l"] != "" || c.set["pgoprofile"] != "" {
		return nil
	}
	facts, unproven := inline.Facts{}, inline.Unproven{}
	for _, file := range in.Archives {
		// Without facts, no function of the import is inlined, as far as its callers can tell.
		if data, err := archive.Read(file, inlineMember); err == nil {
			facts.Add(data)
		}
		if data, err := archive.Read(file, unprovenMember); err == nil {
			unproven.Add(data)
		}
	}
	p := inline.Package{Fset: k.Fset, Files: k.Files, Path: in.Path, Types: k.Types, Info: k.Info, Sizes: types.SizesFor("gc", in.GOARCH), Copied: plan.Copied(k.Fset)}
	return inline.Analyze(p, facts, unproven)
}

// inlineDetector returns the profile with which the compiler inlines the marked functions of the detector.
func inlineDetector(path string, sources []source) ([]byte, error) {
	var files [][]byte
	for _, s := range sources {
		if s.orig == "" {
			files = append(files, s.data)
		}
	}
	return inline.Marked(path, files)
}

// keep adds the result to the output.
func (o *output) keep(r *inline.Result) {
	if r == nil {
		return
	}
	o.checkptr = o.checkptr && r.Checkptr()
	if len(r.Unproven) > 0 {
		o.members = append(slices.Clone(o.members), unit.Bytes{Name: unprovenMember, Data: r.Unproven.Encode()})
	}
	o.profile = r.Profile
	if len(r.Facts) > 0 {
		o.members = append(slices.Clone(o.members), unit.Bytes{Name: inlineMember, Data: r.Facts.Encode()})
	}
}

// addProfile writes the output's profile into the folder, and returns the flags with it.
func (o *output) addProfile(dir string, flags []string) ([]string, error) {
	if o.profile == nil {
		return flags, nil
	}
	name := filepath.Join(dir, "inline.pgo")
	if err := os.WriteFile(name, o.profile, 0o666); err != nil {
		return nil, tempError(err)
	}
	if flagValue(flags, "pgoprofile") != "" { // of package runtime: the user's profile tells nothing of the detector
		return append([]string{inlineFlags}, replaceFlag(flags, "pgoprofile", name)...), nil
	}
	return append([]string{"-pgoprofile", name, inlineFlags}, flags...), nil
}
