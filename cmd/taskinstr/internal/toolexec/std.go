package toolexec

import (
	"taskinstr/cmd/internal/option"
	"taskinstr/rt"
)

// patchStd returns the package with the patches of package rt; ok is false if there are none
// for it.
func patchStd(in *Input, o option.Set) (out *output, ok bool, err error) {
	switch in.Path {
	case "internal/runtime/sys":
		out, ok = withoutGuards(in.Files)
		return out, ok, nil
	case "runtime/race":
		out, ok = withoutImports(in.Files)
		return out, ok, nil
	}
	t := rt.Target{
		GoVersion: in.GoVersion,
		GOOS:      in.GOOS,
		GOARCH:    in.GOARCH,
		RaceTag:   raceTag(in.Files),
		Detector:  o.Detector,
	}
	files, dropComplete, ok, err := rt.Rewrite(t, in.Path, in.Files)
	if err != nil || !ok {
		return nil, ok, err
	}
	out = &output{dropComplete: dropComplete}
	for _, f := range files {
		out.sources = append(out.sources, source{orig: f.Orig, name: f.Name, data: f.Data})
	}
	if in.Path == "runtime" {
		out.dropNoInline = true
		if err := readDefaults(out.sources); err != nil {
			return nil, false, err
		}
		if out.profile, err = inlineDetector(in.Path, out.sources); err != nil {
			return nil, false, err
		}
	}
	return out, true, nil
}
