package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The budget has a column for each part, as multiples of plain, and leaves out modes that failed.
func TestBudget(t *testing.T) {
	medians := map[mode]sample{}
	for i, m := range budget {
		medians[m] = sample{CPU: float64(i + 1)}
	}
	results := []result{{Kernel: "a", Medians: medians}, {Kernel: "b", Medians: medians, Failed: map[mode]string{hooks: "no"}}}
	o := options{runs: 3, modes: budget}
	var out strings.Builder
	printBudget(&out, o, results)
	for _, want := range []string{
		"a         2.00x          3.00x       4.00x  5.00x         6.00x    7.00x",
		"b         2.00x          3.00x       4.00x      -         6.00x    7.00x",
		"geometric mean         2.00x          3.00x       4.00x  5.00x",
		"b, hooks: no",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, out.String())
		}
	}
	name := filepath.Join(t.TempDir(), "budget.csv")
	if err := writeCSV(name, "medians", budgetCSV(results)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if want := "program,race_hooks,race_enters,race,hooks,none,default\na,2.0,3.0,4.0,5.0,6.0,7.0\nb,2.0,3.0,4.0,,6.0,7.0\n"; err != nil || !strings.HasSuffix(string(text), want) {
		t.Errorf("error %v, want %q in\n%s", err, want, text)
	}
}
