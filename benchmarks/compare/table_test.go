package main

import (
	"context"
	"errors"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"taskinstr/benchmarks/micro/kernels"
	"taskinstr/benchmarks/modules"
	"taskinstr/benchmarks/suites"
)

func TestTable(t *testing.T) {
	slower := func(name string, r float64) result {
		return result{Kernel: name, Kind: string(kernels.Compute), Medians: map[mode]sample{
			plain:     {Wall: 0.1, CPU: 0.2, Memory: 1e7},
			taskinstr: {Wall: 0.1 * r, CPU: 0.2 * r, Memory: 0},
		}}
	}
	rs := []result{slower("sor", 2), slower("sort", 8)}
	if g := geomean(rs, column{"", taskinstr, plain, wallOf}); math.Abs(g-4) > 1e-9 {
		t.Errorf("geometric mean %v, want 4", g)
	}
	if g := geomean(rs, column{"", taskinstr, plain, memoryOf}); g != 0 {
		t.Errorf("geometric mean of nothing is %v, want 0", g)
	}
	var b strings.Builder
	printTable(&b, options{runs: 5, modes: []mode{plain, taskinstr}}, rs)
	for _, want := range []string{"sor", "2.00x", "8.00x", "4.00x", " -"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// The table has the ratios to -race, and shows failures instead of leaving them out.
func TestModulesTable(t *testing.T) {
	rs := []result{
		{Kernel: "raft", Kind: string(modules.Modules), Medians: map[mode]sample{
			plain:     {Wall: 0.4, CPU: 0.2, Memory: 2e7},
			race:      {Wall: 1, CPU: 1, Memory: 5e7},
			taskinstr: {Wall: 2, CPU: 1.5, Memory: 4e7},
		}},
		{Kernel: "nats", Kind: string(modules.Modules), Medians: map[mode]sample{
			plain: {Wall: 0.1, CPU: 0.1, Memory: 2e7},
			race:  {Wall: 0.3, CPU: 0.3, Memory: 6e7},
		}, Failed: map[mode]string{taskinstr: "exit status 66\nmore text"}},
		{Kernel: "dns", Kind: string(modules.Modules), Medians: map[mode]sample{}, Failed: map[mode]string{
			plain: "cannot fetch\nmore text", race: "cannot fetch\nmore text", taskinstr: "cannot fetch\nmore text",
		}},
	}
	var b strings.Builder
	printTable(&b, options{runs: 3, modes: []mode{plain, race, taskinstr}}, rs)
	const want = `medians of 3 runs; ratios to plain: wall, processor time, peak memory

         modules  plain ms  cpu ms      MB  race wall     cpu     mem  taskinstr wall     cpu     mem  /race cpu     mem
            raft       400     200      20      2.50x   5.00x   2.50x           5.00x   7.50x   2.00x      1.50x   0.80x
            nats       100     100      20      3.00x   3.00x   3.00x          failed  failed  failed     failed  failed
             dns    failed  failed  failed     failed  failed  failed          failed  failed  failed     failed  failed
  geometric mean                                2.74x   3.87x   2.74x           5.00x   7.50x   2.00x      1.50x   0.80x

failed:
  nats, taskinstr: exit status 66
  dns, plain: cannot fetch
  dns, race: cannot fetch
  dns, taskinstr: cannot fetch
`
	if b.String() != want {
		t.Errorf("the table is\n%s\nwant\n%s", b.String(), want)
	}
}

// -kernels accepts the names of all tables. A paper's program needs its suite if a kernel
// has the same name.
func TestNames(t *testing.T) {
	for _, p := range suites.All {
		if k, ok := kernels.Find(p.String()); ok {
			t.Errorf("%s is also a kernel of kind %s", p, k.Kind)
		}
		if !slices.Contains(kindNames, p.Suite) {
			t.Errorf("the table leaves out %s", p)
		}
	}
	for _, k := range []modules.Kind{modules.Modules, modules.Codecs} {
		if !slices.Contains(kindNames, string(k)) {
			t.Errorf("the table leaves out the kind %s", k)
		}
	}
	for _, r := range modules.Recipes {
		if p, err := suites.Find(r.Name); err == nil {
			t.Errorf("%s is both a recipe and %s", r.Name, p)
		}
		if k, ok := kernels.Find(r.Name); ok {
			t.Errorf("%s is both a recipe and a kernel of kind %s", r.Name, k.Kind)
		}
	}
}

// If a program cannot be built, or ends with a status other than 0, the others are still
// measured.
func TestMeasureGoesOn(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	program := func(name string, args ...string) subject {
		return subject{name: name, kind: string(modules.Modules), done: func() {},
			build: func(context.Context) (map[mode]modules.Program, map[mode]error) {
				if args == nil {
					return nil, map[mode]error{plain: errors.New("does not build")}
				}
				return map[mode]modules.Program{plain: {Args: args}}, nil
			}}
	}
	rs, err := measureAll(t.Context(), options{runs: 1, modes: []mode{plain}},
		[]subject{program("broken"), program("failing", goTool, "nonsense"), program("good", goTool, "version")})
	if err != nil || len(rs) != 3 {
		t.Fatalf("%d results, %v", len(rs), err)
	}
	if why := rs[0].Failed[plain]; why != "does not build" {
		t.Errorf("broken: %q", why)
	}
	if why := rs[1].Failed[plain]; !strings.Contains(why, "exit status 2") || !strings.Contains(why, "unknown command") {
		t.Errorf("failing: %q", why)
	}
	if len(rs[2].Failed) > 0 || rs[2].Medians[plain].Wall == 0 {
		t.Errorf("good: %+v", rs[2])
	}
	if n := failures(rs); n != 2 {
		t.Errorf("%d failures, want 2", n)
	}
}

// A pass that costs more than is tolerated in all but a quarter of the runs is marked.
func TestByPass(t *testing.T) {
	samples := func(cpu ...float64) (list []sample) {
		for _, c := range cpu {
			list = append(list, sample{CPU: c})
		}
		return list
	}
	r := result{Kernel: "esbuild", Samples: map[mode][]sample{
		race:      samples(1, 2, 1, 2, 1),
		taskinstr: samples(2, 4, 2, 4, 2),
		packages:  samples(1.5, 3, 1.5, 3, 1.5),
		"-gather": samples(1, 2, 1, 2, 3),
		"-fresh":  samples(1, 4, 2, 3, 1.5),
	}}
	var b strings.Builder
	printByPass(&b, options{runs: 5}, []result{r})
	row := ""
	for line := range strings.Lines(b.String()) {
		if strings.Contains(line, "esbuild") && row == "" {
			row = strings.Join(strings.Fields(line), " ")
		}
	}
	const want = "esbuild 2.00 ±0.00 1.50 ±0.00 0.75 ±0.00 - - - 1.00 ±0.12 - - - - - !1.50 ±0.00"
	if row != want {
		t.Errorf("the row is\n%s\nwant\n%s\nin\n%s", row, want, b.String())
	}
}
