package optimize

import (
	"slices"
	"strings"
	"testing"

	"taskinstr/optimize/builder"
)

func TestParse(t *testing.T) {
	all := strings.Join(Names(), ",")
	for _, c := range []struct{ spec, want string }{
		{"all", "all"}, {"none", "none"}, {all, "all"}, {"escape", "escape"},
		{"dominate,escape", "escape,dominate"}, // in the order of the table
		{"all,-affine", strings.Replace(all, "affine,", "", 1)}, {"-affine", strings.Replace(all, "affine,", "", 1)},
		{"none,hoist", "hoist"}, {"escape,-escape", "none"}, {" escape , hoist ", "escape,hoist"},
	} {
		s, err := Parse(c.spec)
		if err != nil || s.String() != c.want {
			t.Errorf("%q: got %v, %v, want %s", c.spec, s, err, c.want)
		}
		if again, err := Parse(s.String()); err != nil || again != s {
			t.Errorf("%q: %s is read as %s, %v", c.spec, s, again, err)
		}
	}
	for _, spec := range []string{"", "al", "all,-none", "-", "escape,,hoist", "all,affin"} {
		_, err := Parse(spec)
		if err == nil {
			t.Errorf("%q was accepted", spec)
			continue
		}
		for _, n := range append(Names(), "all", "none") {
			if !strings.Contains(err.Error(), n) {
				t.Errorf("%q: %q does not list %s", spec, err, n)
			}
		}
	}
}

// TestVerify gives verify tables with one fault each.
func TestVerify(t *testing.T) {
	run := func(*builder.Builder) {}
	a, b := Pass{Name: "a", Doc: "x", Run: run}, Pass{Name: "b", Doc: "x", Run: run}
	many := make([]Pass, 65)
	for i := range many {
		many[i] = Pass{Name: strings.Repeat("x", i+1), Doc: "x", Run: run}
	}
	for _, c := range []struct {
		name        string
		passes      []Pass
		constraints []constraint
		want        string
	}{
		{"good", []Pass{a, b}, []constraint{{"a", "b", "why"}}, ""},
		{"order", []Pass{b, a}, []constraint{{"a", "b", "why"}}, "pass b runs before a: why"},
		{"itself", []Pass{a, b}, []constraint{{"a", "a", "why"}}, "runs before"},
		{"unknown", []Pass{a}, []constraint{{"a", "b", "why"}}, "no such pass"},
		{"no reason", []Pass{a, b}, []constraint{{"a", "b", ""}}, "no reason"},
		{"twice", []Pass{a, a}, nil, "name of its own"},
		{"reserved", []Pass{{Name: "all", Doc: "x", Run: run}}, nil, "name of its own"},
		{"undocumented", []Pass{{Name: "a", Run: run}}, nil, "documentation"},
		{"idle", []Pass{{Name: "a", Doc: "x"}}, nil, "does nothing"},
		{"many", many, nil, "65 passes"},
	} {
		err := verify(c.passes, c.constraints)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// TestOrder: shuffled orders keep the constraints, and differ.
func TestOrder(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(50) {
		list := order(seed)
		if len(list) != len(Passes) {
			t.Fatalf("seed %d: %v", seed, list)
		}
		for _, c := range constraints {
			if slices.Index(list, index(c.first)) > slices.Index(list, index(c.second)) {
				t.Errorf("seed %d: %s runs behind %s: %s", seed, c.first, c.second, c.reason)
			}
		}
		var names []string
		for _, i := range list {
			names = append(names, Passes[i].Name)
		}
		seen[strings.Join(names, ",")] = true
	}
	if len(seen) < 3 {
		t.Errorf("only the orders %v", seen)
	}
}
