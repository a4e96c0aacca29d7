package selftest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/cmd/tilab/internal/programs/nest"
	"taskinstr/cmd/tilab/internal/programs/random"
)

// nestedPerProgram is how many cases one binary has.
const nestedPerProgram = 300

// nestedName returns the name of a case of package nest: the seed of its program and its
// number there, from which the case can be generated again.
func nestedName(seed uint64, n int) string { return fmt.Sprintf("nested/%d/%d", seed, n) }

func (h *harness) nestedNames() (list []string) {
	for k := range h.cases {
		list = append(list, nestedName(h.seed+uint64(k/nestedPerProgram), k%nestedPerProgram))
	}
	return list
}

// runNested runs the named cases, one program after the other.
func (h *harness) runNested(ctx context.Context, names []string, emit func(Result)) error {
	wanted := map[string]bool{}
	for _, n := range names {
		wanted[n] = true
	}
	for from := 0; from < h.cases && ctx.Err() == nil; from += nestedPerProgram {
		seed := h.seed + uint64(from/nestedPerProgram)
		var chosen []int // numbers in the program
		for n := range min(nestedPerProgram, h.cases-from) {
			if wanted[nestedName(seed, n)] {
				chosen = append(chosen, n)
			}
		}
		if len(chosen) == 0 {
			continue
		}
		if err := h.runNestedProgram(ctx, seed, chosen, emit); err != nil {
			return err
		}
	}
	return nil
}

func (h *harness) runNestedProgram(ctx context.Context, seed uint64, chosen []int, emit func(Result)) error {
	// A case depends only on the seed and its number, so the cases behind the last one are
	// not needed.
	p, err := nest.New(seed, slices.Max(chosen)+1)
	if err != nil {
		return err
	}
	dir := filepath.Join(h.work, fmt.Sprintf("nested%d", seed))
	if !h.keep {
		defer os.RemoveAll(dir)
	}
	if err := random.Write(dir, p.Files); err != nil {
		return err
	}
	var cases []*nest.Case
	faults := map[int][]string{}
	for _, n := range chosen {
		cases = append(cases, p.Cases[n])
	}
	for _, set := range h.passes {
		exe, err := nest.Build(ctx, h.toolchain(set), false, dir, dir)
		if err != nil {
			return err
		}
		nest.RunAll(ctx, cases, exe, h.parallel, func(c *nest.Case, f []string) {
			for _, f := range f {
				faults[c.Number] = append(faults[c.Number], "-passes="+set+": "+f)
			}
		})
		if ctx.Err() != nil {
			return nil
		}
	}
	for _, n := range chosen {
		name := nestedName(seed, n)
		r := Result{Name: name, Status: passed}
		if f := faults[n]; len(f) > 0 {
			why, _, _ := strings.Cut(f[0], "\n")
			r = h.fail("programs", name, why, []byte(strings.Join(f, "\n")))
		}
		emit(r)
	}
	return nil
}
