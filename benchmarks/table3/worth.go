package main

import (
	"fmt"
	"os"
	"strings"

	"taskinstr/benchmarks/measure"
	"taskinstr/benchmarks/modes"
	"taskinstr/optimize"
)

// worth makes figure 14 of the paper: the slowdown with no passes, with each pass alone,
// with all but each, and with all.
func worth(t modes.Table) error {
	sets := []string{"none"}
	for _, p := range optimize.Passes {
		sets = append(sets, p.Name)
	}
	for _, p := range optimize.Passes {
		sets = append(sets, "all,-"+p.Name)
	}
	sets = append(sets, "all")
	list := []modes.Mode{columns[0]}
	for _, s := range sets {
		list = append(list, modes.Mode{Name: s, Args: []string{"build", "-detector=espbags", "-scope=program", "-passes=" + s}, Own: true, Procs: "1"})
	}
	built, err := modes.Build(t.Tool, list)
	if err != nil {
		return err
	}
	defer built.Close()
	fmt.Printf("| passes | %s | geometric mean |\n|---|%s---|\n", strings.Join(t.Programs, " | "), strings.Repeat("---|", len(t.Programs)))
	factors := make([][]float64, len(list)) // by mode and program
	for k, p := range t.Programs {
		times, _, err := built.Times(t.Suite+"/"+p, t.Size, t.Runs)
		if err != nil {
			return err
		}
		for i, x := range times {
			factors[i] = append(factors[i], x/times[0])
		}
		fmt.Fprintf(os.Stderr, "%d of %d programs: %s %.2f\n", k+1, len(t.Programs), p, times)
	}
	for i, m := range list[1:] {
		fmt.Printf("| %s |", m.Name)
		for _, f := range factors[i+1] {
			fmt.Printf(" %.2f |", f)
		}
		fmt.Printf(" **%.2f** |\n", measure.GeometricMean(factors[i+1]))
	}
	return nil
}
