package accesses

import (
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"

	"taskinstr/internal/golist"
	"taskinstr/internal/site"
)

var mutate = flag.String("accesses.mutate", "encoding/json slices strings", "packages of TestMutations")

// TestMutations removes each check whose absence must show, and counts how often a class
// explains the absence. Such a class would hide a real miss as well.
func TestMutations(t *testing.T) {
	w, err := newWorld(t.Context(), "", t.TempDir(), 2)
	if err == nil {
		err = w.list(strings.Fields(*mutate))
	}
	if err != nil {
		t.Fatal(err)
	}
	l, err := w.compileAll(func(*golist.Package) {})
	if err != nil {
		t.Fatal(err)
	}
	total, hidden := 0, map[string]int{}
	for _, u := range w.units {
		if _, skip := site.Skip(u.ImportPath); skip || !audited(u) {
			continue
		}
		files, err := w.files(u, l)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range files {
			all := c.checks
			for i, k := range all {
				c.checks = slices.Delete(slices.Clone(all), i, i+1)
				var alone []*access // accesses without another check
				for _, a := range c.accesses {
					if a.kind == k.kind && a.offset >= 0 && !slices.ContainsFunc(c.byToken[a.offset], func(o *check) bool { return o != k && o.kind == k.kind }) && k.tokens[a.offset] {
						alone = append(alone, a)
					}
				}
				if len(alone) == 0 {
					continue
				}
				total++
				for o := range k.tokens {
					c.byToken[o] = slices.DeleteFunc(slices.Clone(c.byToken[o]), func(o *check) bool { return o == k })
				}
				var names []string
				for _, a := range alone {
					names = append(names, c.classOf(a))
				}
				for o := range k.tokens {
					c.byToken[o] = append(c.byToken[o], k)
				}
				if !slices.Contains(names, "") {
					hidden[names[0]]++
					t.Logf("%s of %s: taken for %s (%s)", k.kind, k.expr, names, c.missed(alone[0]))
				}
			}
			c.checks = all
		}
	}
	sum := 0
	for _, name := range slices.Sorted(maps.Keys(hidden)) {
		sum += hidden[name]
		t.Logf("%d taken for %s", hidden[name], name)
	}
	t.Logf("%d of %d hidden", sum, total)
	if total < 500 || sum*100 > total {
		t.Errorf("the absence of %d of %d checks is hidden: more than one in a hundred", sum, total)
	}
}
