package main

import (
	"bytes"
	"strings"
	"testing"

	"taskinstr/benchmarks/datafile"
	"taskinstr/internal/executed"
)

// TestShares: the shares of a class are means over the programs, without the checks of a lone task,
// and the class with most new checks comes first.
func TestShares(t *testing.T) {
	check := func(what string, n, lone, fresh uint64) *executed.Check {
		return &executed.Check{Count: executed.Count{Executed: n, Lone: lone, New: fresh}, What: what}
	}
	program := func(name string, list ...*executed.Check) *checked {
		p := &executed.Profile{Checks: list}
		return &checked{name, map[mode]executed.Count{packages: p.Total()}, map[mode]*executed.Profile{packages: p}}
	}
	list := []*checked{
		program("a", check("field f of T", 30, 10, 2), check("element of []int", 80, 0, 8)),
		program("b", check("field f of T", 100, 0, 10), check("field g of T", 100, 0, 0)),
	}
	got := shares(list, packages, func(c *executed.Check) string { return accessed(c.What) })
	if len(got) != 3 || got[0].class != "field" || got[1].class != "element" || got[2].class != "no known site" {
		t.Fatalf("classes %+v", got)
	}
	if f := got[0]; f.executed != 0.6 || f.fresh != 0.6 || f.most != "b" || f.mostNew != 1 {
		t.Errorf("fields %+v", f)
	}
	if e := got[1]; e.executed != 0.4 || e.fresh != 0.4 || e.most != "a" || e.mostNew != 0.8 {
		t.Errorf("elements %+v", e)
	}
	var out bytes.Buffer
	printChecks(&out, options{modes: []mode{packages}}, list)
	for _, want := range []string{"package: executed", "by what is accessed", "60.0 %  60.0 %      b 100 %  field\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestChecksCSV: a program without a count in a mode has no share.
func TestChecksCSV(t *testing.T) {
	out, err := datafile.Text("", checksCSV([]mode{taskinstr, packages}, []*checked{
		{Kernel: "a", Total: map[mode]executed.Count{taskinstr: {Executed: 8000, New: 2000}, packages: {Executed: 2000, New: 1000}}},
		{Kernel: "b", Total: map[mode]executed.Count{taskinstr: {Executed: 8000}, packages: {Executed: 8000}}},
	}))
	if want := "program,checks,new,package,package_new\na,8,2,0.250,0.500\nb,8,0,1.000,\n"; err != nil || out != want {
		t.Errorf("error %v, %s\nwant\n%s", err, out, want)
	}
}
