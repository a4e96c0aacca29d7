package ssapass

import (
	"bufio"
	"flag"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var racesIn = flag.String("ssapass.races", "", "look at the races of the program in this directory instead")

// TestRacesStay checks that no fact excludes a race in the programs of this module: the
// accesses are shared, written in parallel, and not alone.
func TestRacesStay(t *testing.T) {
	if testing.Short() {
		t.Skip("loads programs")
	}
	p := load(t, "..", false, "./testdata/patterns", "./examples/bank", "./examples/pipeline", "./examples/predicted")
	if *racesIn != "" {
		p = load(t, *racesIn, false, ".")
	}
	a := p.Analyze()
	unchecked := a.Unchecked(func(string) bool { return false })
	byLine := map[string]map[int][]*Site{}
	for _, s := range a.Sites.List {
		if byLine[s.Key.File] == nil {
			byLine[s.Key.File] = map[int][]*Site{}
		}
		byLine[s.Key.File][s.Key.Line] = append(byLine[s.Key.File][s.Key.Line], s)
	}
	wants := 0
	for file, lines := range byLine {
		if !strings.Contains(file, filepath.Join("testdata", "patterns")) && !strings.Contains(file, "examples") && (*racesIn == "" || !strings.HasPrefix(file, *racesIn)) {
			continue
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		n := 0
		for sc := bufio.NewScanner(f); sc.Scan(); {
			n++
			_, comment, ok := strings.Cut(sc.Text(), "// want ")
			if !ok {
				continue
			}
			_, expr, ok := strings.Cut(comment, ": ")
			if !ok || expr == "-" {
				continue
			}
			expr, _, _ = strings.Cut(expr, " // ")
			wants++
			found := false
			elems := slices.ContainsFunc(lines[n], func(s *Site) bool { return s.Key.Expr == expr && s.Key.Elems })
			for _, s := range lines[n] {
				if s.Key.Expr != expr {
					continue
				}
				found = true
				if elems && !s.Key.Elems {
					continue // the access to the variable that holds the elements
				}
				if readsHandle(s) {
					continue // the race is of the channel or map, which the runtime checks
				}
				got := strings.Fields(facts(a, s))
				got = slices.DeleteFunc(got, func(fact string) bool {
					// Passes keep first values of memory that unchecked code publishes.
					first := func(c Access) bool { w := a.Where(s, c); return a.FilledInParallel(w) && unchecked(w) }
					return fact == "locked" || fact == "readonly" && slices.ContainsFunc(s.Accesses, first)
				})
				if len(got) > 0 {
					t.Errorf("%s:%d: %s (write %v, elements %v) is said to be %v", file, n, expr, s.Key.Write, s.Key.Elems, got)
				}
			}
			// The runtime checks atomic accesses, accesses of maps, and accesses in
			// wrappers of methods; they have no site.
			hooked := strings.HasPrefix(expr, "atomic.") || strings.HasPrefix(expr, "m[") || filepath.Base(file) == "wrappers.go"
			if !found && !hooked {
				t.Errorf("%s:%d: no site %s", file, n, expr)
			}
		}
	}
	if wants < 150 {
		t.Errorf("%d races tested", wants)
	}
}

// readsHandle reports whether the site reads a variable that holds a channel or a map.
func readsHandle(s *Site) bool {
	if s.Key.Write || len(s.Accesses) == 0 {
		return false
	}
	p, ok := s.Accesses[0].Addr.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	switch p.Elem().Underlying().(type) {
	case *types.Chan, *types.Map:
		return true
	}
	return false
}
