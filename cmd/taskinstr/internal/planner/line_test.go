package planner

import (
	"testing"

	"taskinstr/cmd/internal/option"
	"taskinstr/optimize"
)

// TestKey: `taskinstr bench` makes the plans for several sets of passes with one request, and then
// builds with each set, with and without counters. The builds must find these plans.
func TestKey(t *testing.T) {
	request := func(change func(*option.Set), flags ...string) *Request {
		o := option.Default()
		change(&o)
		r, err := FromLine(map[string]string{}, "", "", "test", append(flags, "./a"), o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	affine, err := optimize.Parse("affine")
	if err != nil {
		t.Fatal(err)
	}
	made := request(func(*option.Set) {})
	made.Options.Passes = affine // as Plans does
	for _, c := range []struct {
		what string
		same bool
		r    *Request
	}{
		{"its passes", true, request(func(o *option.Set) { o.Passes = affine })},
		{"counters, with the reasons of kept checks", false, request(func(o *option.Set) { o.Passes, o.Stats = affine, option.StatsChecks })},
		{"a wrapper", true, request(func(o *option.Set) { o.Passes, o.Wrapper = affine, option.ByName })},
		{"compiler flags", true, request(func(o *option.Set) { o.Passes = affine }, "-gcflags=all=-N", "-trimpath")},
		{"all passes", false, request(func(*option.Set) {})},
		{"chosen packages", false, request(func(o *option.Set) { o.Passes, o.Pkgs = affine, []string{"./b"} })},
		{"tags", false, request(func(o *option.Set) { o.Passes = affine }, "-tags=x")},
	} {
		if (c.r.key() == made.key()) != c.same {
			t.Errorf("%s: the same plans: %v, want %v", c.what, !c.same, c.same)
		}
	}
}
