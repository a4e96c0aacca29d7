package scope

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/internal/site"
)

// A Package is one package of a build, as go list describes it.
type Package struct {
	Path string
	Dir  string
	Std  bool // it belongs to Go's own tree
	Main bool // it belongs to a main module
}

// A Reading tells whether a pattern selects a package.
type Reading func(pattern string, p Package) bool

// ByPath returns the reading of a Selection.
func (s *Selection) ByPath() Reading {
	return func(written string, q Package) bool {
		return slices.ContainsFunc(s.patterns, func(p pattern) bool { return p.written == written && p.has(q.Path) })
	}
}

// ByFolder returns the reading of the go command (`go help packages`) when it runs in
// dir, an absolute path.
func ByFolder(dir string) Reading {
	return func(pattern string, p Package) bool {
		switch {
		case isLocal(pattern) && !filepath.IsAbs(pattern):
			return inFolder(dir, pattern, p.Dir)
		case pattern == "std":
			return p.Std
		case pattern == "cmd":
			return p.Std && strings.HasPrefix(p.Path, "cmd/")
		case pattern == "work":
			return p.Main
		}
		return match(pattern, p.Path)
	}
}

// inFolder reports whether a relative pattern, seen from dir, matches a folder.
func inFolder(dir, pattern, folder string) bool {
	i := strings.Index(pattern, "...")
	if i < 0 {
		return filepath.Join(dir, filepath.FromSlash(pattern)) == folder
	}
	j := strings.LastIndex(pattern[:i], "/")
	rel, err := filepath.Rel(filepath.Join(dir, filepath.FromSlash(pattern[:j])), folder)
	rel = filepath.ToSlash(rel)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return false
	}
	return match(pattern[j+1:], rel)
}

// A Verdict holds the packages of a build that patterns select.
type Verdict struct {
	Unmatched []string  // patterns that select no package
	Selected  []Package // by any of them
	Checked   int       // packages that get checks
}

// Judge applies the patterns to the packages of a build.
func Judge(patterns []string, pkgs []Package, selects Reading) (v Verdict) {
	used := make(map[string]bool)
	for _, p := range pkgs {
		selected := false
		for _, pattern := range patterns {
			if selects(pattern, p) {
				used[pattern], selected = true, true
			}
		}
		if !selected {
			continue
		}
		v.Selected = append(v.Selected, p)
		if _, skip := site.Skip(p.Path); !skip {
			v.Checked++
		}
	}
	for _, p := range patterns {
		if !used[p] {
			v.Unmatched = append(v.Unmatched, p)
			used[p] = true // named once
		}
	}
	return v
}

// Err returns an error that names the unmatched patterns, nil if there are none.
func (v *Verdict) Err() error {
	what := "matches no package"
	switch len(v.Unmatched) {
	case 0:
		return nil
	case 1:
	default:
		what = "match no package"
	}
	return fmt.Errorf("option -pkgs: %s %s of this build; nothing would be checked there (patterns select packages of the build, dependencies included)", strings.Join(v.Unmatched, ", "), what)
}

// Nothing returns the message that patterns select no package that gets checks.
func Nothing(patterns []string) string {
	return "nothing is checked: -pkgs=" + strings.Join(patterns, ",") + " selects no package that gets checks (see `taskinstr help building`)"
}
