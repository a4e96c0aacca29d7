package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// passes are the static optimizations, in the order of `taskinstr help passes`.
var passes = []string{"maintask", "escape", "readonly", "fresh", "affine", "hoist", "dominate", "gather"}

// worth makes figure 14 of the paper: the slowdown with no passes, with each pass alone,
// with all but each, and with all.
func worth(tool, size string, runs int, programs []string) error {
	sets := []string{"none"}
	sets = append(sets, passes...)
	for _, p := range passes {
		sets = append(sets, "all,-"+p)
	}
	sets = append(sets, "all")
	list := []mode{modes[0]}
	for _, s := range sets {
		list = append(list, mode{s, []string{"build", "-detector=espbags", "-passes=" + s}, true, "1"})
	}
	dir, err := os.MkdirTemp("", "table3")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := build(dir, tool, list); err != nil {
		return err
	}
	fmt.Printf("| passes | %s | geometric mean |\n|---|%s---|\n", strings.Join(programs, " | "), strings.Repeat("---|", len(programs)))
	times := make([][][]float64, len(list)) // by mode and program
	for i := range times {
		times[i] = make([][]float64, len(programs))
	}
	for k, p := range programs {
		for range runs {
			for i, m := range list {
				t, _, err := run(filepath.Join(dir, fmt.Sprint(i)), "taskchecker/"+p, size, m)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", p, m.name, err)
				}
				times[i][k] = append(times[i][k], t)
			}
		}
	}
	for i, m := range list[1:] {
		fmt.Printf("| %s |", m.name)
		sum := 0.0
		for k := range programs {
			factor := median(times[i+1][k]) / median(times[0][k])
			sum += math.Log(factor)
			fmt.Printf(" %.2f |", factor)
		}
		fmt.Printf(" **%.2f** |\n", math.Exp(sum/float64(len(programs))))
	}
	return nil
}
