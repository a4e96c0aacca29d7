package splice

import "testing"

// TestOldLoops rewrites packages with loops that some compilers would change, since these
// compilers ignore the language version of the files. Such packages are left alone.
func TestOldLoops(t *testing.T) {
	for _, c := range []struct {
		body, version string
		fresh, alone  bool
	}{
		{"for i := 0; i < 3; i++ { fs = append(fs, func() int { return i }) }", "go1.21", true, true},
		{"for i := 0; i < 3; i++ { fs = append(fs, func() int { return i }) }", "go1.21", false, false},
		{"for i := 0; i < 3; i++ { fs = append(fs, func() int { return i }) }", "go1.22", true, false},
		{"for i := range fs { p = &i }", "go1.21", true, true},
		{"for _, f := range fs { p = new(int); *p = f() }", "go1.21", true, false},
		{"i := 0; for i = 0; i < 3; i++ { fs = append(fs, func() int { return i }) }", "go1.21", true, false},
	} {
		cfg := checkText(t, "package main\n\nvar fs []func() int\nvar p *int\n\nfunc main() { "+c.body+" }\n")
		cfg.GoVersion, cfg.FreshLoops = c.version, c.fresh
		r := splice(t, cfg)
		if alone := r.Files[0] == nil; alone != c.alone || alone != (r.Stats.OldLoops > 0) {
			t.Errorf("%s, %s: left alone %t (%d loops), want %t", c.body, c.version, alone, r.Stats.OldLoops, c.alone)
		}
	}
}
