package option

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"taskinstr/optimize"
)

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		args string
		key  string
		rest string
		err  string
	}{
		{args: ""},
		{args: "build -pkgs=x", rest: "build -pkgs=x"},
		{args: "-locks=all tool", rest: "tool"},
		{args: "-locks=hb tool", rest: "tool"},
		{args: "--stats checks tool", key: "stats=checks", rest: "tool"},
		{args: "-pkgs=a,b -pkgs c tool", key: "pkgs=a,b,c", rest: "tool"},
		{args: "-pkgs=a -branches=on tool", key: "branches=on passes=none pkgs=a", rest: "tool"},
		{args: "-passes=all -branches=on tool", key: "branches=on", rest: "tool"},
		{args: "-locks=hb -locks=all tool", rest: "tool"},
		{args: "-inline=off tool", key: "inline=off", rest: "tool"},
		{args: "-inline=off -inline=on tool", rest: "tool"},
		{args: "-inline=no tool", err: `"no" is neither`},
		{args: "-passes=all -scope=program tool", rest: "tool"},
		{args: "-passes=none tool", key: "passes=none", rest: "tool"},
		{args: "-passes=dominate,escape -scope=program tool", key: "passes=escape,dominate", rest: "tool"},
		{args: "-lock=hb tool", err: "unknown option -lock=hb"},
		{args: "-locks=no tool", err: `"no" is neither`},
		{args: "-pkgs=, tool", err: "at least one package pattern"},
		{args: "-pkgs", err: "needs a value"},
	} {
		s, rest, err := Split(strings.Fields(test.args))
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("Split(%q): error %v, want %q", test.args, err, test.err)
			}
			continue
		}
		if err != nil || s.Key() != test.key || strings.Join(rest, " ") != test.rest {
			t.Errorf("Split(%q) = key %q, rest %q, %v; want %q, %q", test.args, s.Key(), rest, err, test.key, test.rest)
		}
		again, rest, err := Split(s.Args())
		if err != nil || len(rest) != 0 || again.Key() != s.Key() || !slices.Equal(again.Args(), s.Args()) {
			t.Errorf("Split(%q).Args() = %q, which reads as %+v, %q, %v", test.args, s.Args(), again, rest, err)
		}
	}
}

func TestUnknownListsAll(t *testing.T) {
	_, _, err := Split([]string{"-x"})
	var unknown *UnknownError
	if !errors.As(err, &unknown) {
		t.Fatalf("error is %v", err)
	}
	for _, o := range Table() {
		if !strings.Contains(err.Error(), "-"+o.Name) {
			t.Errorf("%q does not name -%s", err, o.Name)
		}
	}
}

// TestKeyOfScope: packages of std are the same in both scopes, and only passes that one
// package suffices for change them.
func TestKeyOfScope(t *testing.T) {
	key := func(args string) string {
		s, _, err := Split(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		return s.Key()
	}
	for _, passes := range []string{"all", "none", "escape", "all,-hoist"} {
		if a, b := key("-passes="+passes+" -scope=package"), key("-passes="+passes+" -scope=program"); a != b {
			t.Errorf("-passes=%s: key %q in package scope, %q in program scope", passes, a, b)
		}
	}
	for _, p := range optimize.Passes {
		if with, without := key(""), key("-passes=all,-"+p.Name); (with != without) != p.Local {
			t.Errorf("without %s: key %q, with it %q", p.Name, without, with)
		}
	}
}
