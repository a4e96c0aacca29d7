package scope

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// A Selection decides by import path which packages get checks.
type Selection struct {
	patterns []pattern // none: every package
}

// A pattern is a pattern of -pkgs as written, with the pattern for import paths that it
// means.
type pattern struct{ written, path string }

// New resolves the patterns of the option -pkgs. Relative patterns start in dir; "" is the
// current folder, which for every tool is the go command's. The nearest go.mod converts
// them to patterns for import paths. So the decision depends only on the import path and
// on the resolved patterns, both of which are in the build cache's keys.
func New(dir string, patterns []string) (*Selection, error) {
	s := &Selection{}
	if Everything(patterns) {
		return s, nil
	}
	for _, p := range patterns {
		path := p
		if isLocal(p) {
			var err error
			if path, err = resolveLocal(dir, p); err != nil {
				return nil, fmt.Errorf("option -pkgs: %w", err)
			}
		}
		s.patterns = append(s.patterns, pattern{p, path})
	}
	return s, nil
}

// Everything reports whether patterns of the option -pkgs select all packages.
func Everything(patterns []string) bool {
	return len(patterns) == 0 || slices.Contains(patterns, "all") || slices.Contains(patterns, "...")
}

// commandLine is the import path of `go run file.go`.
const commandLine = "command-line-arguments"

func isLocal(p string) bool {
	return p == "." || p == ".." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") || filepath.IsAbs(p)
}

// resolveLocal converts a pattern for folders, relative to base, to a pattern for import
// paths.
func resolveLocal(base, pattern string) (string, error) {
	fixed, dots := pattern, ""
	if i := strings.Index(pattern, "..."); i >= 0 {
		// The pattern's last element may be a part of a name: ./cmd/x...
		j := strings.LastIndex(pattern[:i], "/")
		fixed, dots = pattern[:j+1], pattern[j+1:]
	}
	dir := filepath.FromSlash(fixed)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(base, dir)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("pattern %s: %w", pattern, err)
	}
	root, module, err := findModule(dir)
	if err != nil {
		return "", fmt.Errorf("pattern %s: %w", pattern, err)
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return "", fmt.Errorf("pattern %s: %w", pattern, err)
	}
	elems := []string{module}
	if rel = filepath.ToSlash(rel); rel != "." {
		elems = append(elems, rel)
	}
	if module == "std" || module == "cmd" && rel == "." {
		elems = elems[1:] // GOROOT/src: the module's name is not part of the paths
	}
	if dots != "" {
		elems = append(elems, dots)
	}
	return strings.Join(elems, "/"), nil
}

// findModule returns the folder of the nearest go.mod at or above dir, and the
// module path in it.
func findModule(dir string) (root, module string, err error) {
	for d := dir; ; {
		data, err := os.ReadFile(filepath.Join(d, "go.mod"))
		if err == nil {
			if f, err := modfile.ParseLax("go.mod", data, nil); err == nil && f.Module != nil {
				return d, f.Module.Mod.Path, nil
			}
			return "", "", fmt.Errorf("%s has no module line", filepath.Join(d, "go.mod"))
		}
		up := filepath.Dir(d)
		if up == d {
			return "", "", fmt.Errorf("no go.mod at or above %s; use an import path pattern instead", dir)
		}
		d = up
	}
}

// All reports whether every package is selected.
func (s *Selection) All() bool { return len(s.patterns) == 0 }

// String returns the resolved patterns, or all.
func (s *Selection) String() string {
	if s.All() {
		return "all"
	}
	var list []string
	for _, p := range s.patterns {
		list = append(list, p.path)
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), ",")
}

// Key describes the selection for the build cache: equal keys select the same packages.
func (s *Selection) Key() string {
	if slices.ContainsFunc(s.patterns, func(p pattern) bool { return isLocal(p.written) }) {
		return s.String() + "," + commandLine
	}
	return s.String()
}

// Has reports whether the selection contains a package. desc is the go command's
// description of the package: its import path, followed by the name of the test binary if
// it is compiled for one.
func (s *Selection) Has(desc string) bool {
	return s.All() || slices.ContainsFunc(s.patterns, func(p pattern) bool { return p.has(desc) })
}

func (p pattern) has(desc string) bool {
	path, variant, _ := strings.Cut(desc, " ")
	if variant != "" {
		// p_test [p.test] is the external test of p.
		path = strings.TrimSuffix(path, "_test")
	}
	path = strings.TrimSuffix(path, ".test")
	// Files named on the go command's line form a package without an import path. They are
	// taken to lie in the current folder.
	return match(p.path, path) || p.path == "std" && isStd(path) || path == commandLine && isLocal(p.written)
}

// isStd reports whether an import path is in the standard library: its first element has
// no dot.
func isStd(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && first != commandLine && first != "cmd"
}

// match reports whether an import path matches a pattern as `go help packages` defines it:
// ... matches any string, and a final /... also matches the empty string.
func match(pattern, path string) bool {
	if rest, ok := strings.CutSuffix(pattern, "/..."); ok && match(rest, path) {
		return true
	}
	parts := strings.Split(pattern, "...")
	if len(parts) == 1 {
		return pattern == path
	}
	if !strings.HasPrefix(path, parts[0]) {
		return false
	}
	path = path[len(parts[0]):]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(path, p)
		if i < 0 {
			return false
		}
		path = path[i+len(p):]
	}
	return strings.HasSuffix(path, parts[len(parts)-1])
}
