package programs

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"taskinstr/cmd/tilab/internal/programs/random"
)

// A Numbered is a random program, with its files by name, that runs cases with the numbers from 0 to N-1. Races has those with a race.
type Numbered struct {
	Files map[string][]byte
	Races map[int]bool
	N     int
}

// Compare writes the program into dir, builds it as exe and runs it. It returns a line for each case that is reported, or not, as it should not be.
// Functions and types of a case have names that number matches, with the case's number as the group.
func (c *Numbered) Compare(ctx context.Context, tc Toolchain, dir, exe string, number *regexp.Regexp) (faults []string, err error) {
	if err := random.Write(dir, c.Files); err != nil {
		return nil, err
	}
	out, err := tc.Output(ctx, dir, exe)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	found := map[int]bool{}
	for _, r := range ParseReports(out, map[string]bool{"main.go": true, "made.go": true}) {
		if r.Tier != Race {
			continue
		}
		for _, m := range number.FindAllStringSubmatch(r.Text, -1) {
			n, _ := strconv.Atoi(m[1])
			found[n] = true
		}
	}
	for i := range c.N {
		if found[i] != c.Races[i] {
			faults = append(faults, fmt.Sprintf("case%d: race reported: %v, want %v", i, found[i], c.Races[i]))
		}
	}
	return faults, nil
}
