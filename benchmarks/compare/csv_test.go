package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A data file names its command, has the ratios of programs that ran in all modes, and leaves out the other
// ratios.
func TestWriteCSV(t *testing.T) {
	cpu := func(list ...float64) (s []sample) {
		for _, x := range list {
			s = append(s, sample{CPU: x})
		}
		return s
	}
	results := []result{
		{Kernel: "a", Kind: "std", Medians: map[mode]sample{plain: {CPU: 1, Memory: 10}, race: {CPU: 4, Memory: 40}, packages: {CPU: 2, Memory: 20}},
			Samples: map[mode][]sample{race: cpu(4, 4, 4, 4), packages: cpu(1, 2, 2, 3)}},
		{Kernel: "b", Kind: "std", Medians: map[mode]sample{plain: {CPU: 1}, race: {CPU: 4}, packages: {CPU: 2}}},
		{Kernel: "c", Kind: "std", Failed: map[mode]string{race: "no C compiler"}},
	}
	name := filepath.Join(t.TempDir(), "x.csv")
	if err := writeCSV(name, "medians of 4 interleaved runs", ratiosCSV(results)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# go: go1", "\n# machine: ", "medians of 4 interleaved runs\n", "\nstd,a,4.0,2.0,0.50,0.25,0.75,0.50\n", "\nstd,b,4.0,2.0,0.50,,,\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "std,c") {
		t.Errorf("a program that failed is in\n%s", text)
	}
}

// The content of a data file follows from the modes and -by-pass.
func TestWriteResults(t *testing.T) {
	median := func(cpu float64) sample { return sample{CPU: cpu, Memory: cpu} }
	r := result{Kernel: "a", Kind: "drdp", Medians: map[mode]sample{plain: median(1), race: median(4), packages: median(2), passes: median(3)}, Samples: map[mode][]sample{}}
	for m, s := range r.Medians {
		r.Samples[m] = []sample{s}
	}
	for _, test := range []struct {
		o    options
		want string
	}{
		{options{modes: []mode{plain, race, packages}}, "\nkind,program,race,default,to_race,low,high,memory_to_race\ndrdp,a,4.0,2.0,0.50,"},
		{options{modes: []mode{plain, race, passes}}, "\n# mean: -race, program scope\nprogram,-race,program scope\na,4.00,3.00\n"},
		{options{modes: []mode{plain, race, packages, passes}, byPass: true}, "\nprogram,all / none,\"memory, all / none\",-maintask,"},
	} {
		test.o.csv = filepath.Join(t.TempDir(), "x.csv")
		if err := test.o.writeResults([]result{r}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(test.o.csv)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), test.want) {
			t.Errorf("no %q in\n%s", test.want, text)
		}
	}
}
