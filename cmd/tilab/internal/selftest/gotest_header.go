package selftest

import (
	"fmt"
	"go/build/constraint"
	"slices"
	"strings"
)

// A recipe is the first comment of a program in GOROOT/test, which says how to run it.
type recipe struct {
	flags []string // for go build
	files []string // files of the program besides the first
	args  []string // for the program
	env   []string // for both
	// race is set if the recipe requests go's own detector.
	race bool
	// unmet is the build constraint that the platform does not meet, "" if there is none.
	unmet string
}

// parseRecipe reads the recipe in src; ok is false if it does not begin with "run".
func parseRecipe(src string, tags func(string) bool) (r recipe, ok bool, err error) {
	var action string
	for line := range strings.Lines(src) {
		line = strings.TrimSpace(line)
		if line == "" || constraint.IsGoBuild(line) || constraint.IsPlusBuild(line) {
			continue
		}
		action, ok = strings.CutPrefix(line, "//")
		break
	}
	if !ok {
		return r, false, nil
	}
	words, err := splitQuoted(action)
	if err != nil || len(words) == 0 || words[0] != "run" {
		return r, false, nil // another kind of recipe
	}
	if err := r.parseWords(words[1:]); err != nil {
		return r, true, err
	}
	// Build constraints stand before the package clause.
	header, _, _ := strings.Cut(src, "\npackage")
	for line := range strings.Lines(header) {
		line = strings.TrimSpace(line)
		if x, err := constraint.Parse(line); err == nil && !x.Eval(func(tag string) bool { return tags(tag) || tag == "race" && r.race }) {
			r.unmet = line
			break
		}
	}
	return r, true, nil
}

// parseWords sorts the words behind "run" into flags, files and arguments.
func (r *recipe) parseWords(words []string) error {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		switch w := words[0]; w {
		case "-goexperiment", "-godebug":
			if len(words) < 2 {
				return fmt.Errorf("%s lacks its value", w)
			}
			r.env = append(r.env, strings.ToUpper(w[1:])+"="+words[1])
			words = words[1:]
		case "-race":
			r.race = true
		case "-t":
			if len(words) < 2 {
				return fmt.Errorf("%s lacks its value", w)
			}
			words = words[1:] // a time limit, which the option -timeout replaces
		default:
			r.flags = append(r.flags, w)
			// A flag written without "=" takes the next word.
			if w == "-gcflags" && len(words) > 1 {
				words = words[1:]
				r.flags = append(r.flags, words[0])
			}
		}
		words = words[1:]
	}
	// The recipe means "go run FILE ARGS", where leading names of Go files are files of the
	// program.
	for len(words) > 0 && strings.HasSuffix(words[0], ".go") {
		r.files, words = append(r.files, words[0]), words[1:]
	}
	r.args = words
	return nil
}

// buildTags returns a predicate for the build tags that tc sets: platform, compiler,
// releases and experiments.
func buildTags(tc *toolchain) func(string) bool {
	return func(tag string) bool {
		switch tag {
		case tc.GOOS, tc.GOARCH, "gc", "test_run":
			return true
		case "cgo":
			return tc.CGO_ENABLED == "1"
		case "unix":
			return tc.GOOS != "windows" && tc.GOOS != "plan9" && tc.GOOS != "js" && tc.GOOS != "wasip1"
		}
		return slices.Contains(tc.tags, tag)
	}
}

// splitQuoted splits s at spaces, except at spaces in single or double quotes.
func splitQuoted(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	for _, c := range s {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, inWord = c, true
		case quote == 0 && (c == ' ' || c == '\t'):
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("unclosed quote in %q", s)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
