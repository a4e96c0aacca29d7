package toolexec

import (
	"taskinstr/cmd/taskinstr/internal/option"
	"taskinstr/rt"
)

// patchStd returns a package of the standard library with the patches of package rt; ok
// is false if there are none for it.
func patchStd(c *call, o option.Set, path string) (out *output, ok bool, err error) {
	switch path {
	case "internal/runtime/sys":
		out, ok = withoutGuards(c.files)
		return out, ok, nil
	case "runtime/race":
		out, ok = withoutImports(c.files)
		return out, ok, nil
	}
	t := rt.Target{
		GoVersion: c.set["goversion"],
		GOOS:      goos(),
		GOARCH:    goarch(),
		RaceTag:   raceTag(c.files),
		Detector:  o.Detector,
	}
	files, dropComplete, ok, err := rt.Rewrite(t, path, c.files)
	if err != nil || !ok {
		return nil, ok, err
	}
	out = &output{dropComplete: dropComplete}
	for _, f := range files {
		out.sources = append(out.sources, source{orig: f.Orig, name: f.Name, data: f.Data})
	}
	if path == "runtime" {
		out.dropNoInline = true
		if err := readDefaults(out.sources); err != nil {
			return nil, false, err
		}
	}
	return out, true, nil
}
