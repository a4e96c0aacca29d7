package lint

import (
	"path/filepath"
	"regexp"
	"strings"

	"taskinstr/optimize"
)

// goPosition matches a position in the reasons of passes: main.go:38:2, main.go:38, and
// example.com/m/p/q.go:38:2 for a file of another package.
var goPosition = regexp.MustCompile(`[^\s:;,()]+\.go:\d+`)

// filesOf returns the names of the files with sites, as they are shown, by the package's path and
// the base name.
func filesOf(plan *optimize.Plan, dir string) map[string]string {
	files := map[string]string{}
	for _, s := range plan.Analysis.Sites.List {
		files[s.Pkg.Path()+"/"+filepath.Base(s.Key.File)] = shown(s.Key.File, dir)
	}
	return files
}

// located returns a reason with the files in it as they are shown. Passes name the files of the
// same package by their base names, so that plans do not depend on the folder of the package.
func (c *collector) located(pkg, reason string) string {
	if !strings.Contains(reason, ".go:") {
		return reason
	}
	return goPosition.ReplaceAllStringFunc(reason, func(at string) string {
		name, line, _ := strings.Cut(at, ".go:")
		name += ".go"
		key := name
		if !strings.Contains(name, "/") {
			key = pkg + "/" + name
		}
		if file, ok := c.files[key]; ok {
			name = file
		}
		return name + ":" + line
	})
}
