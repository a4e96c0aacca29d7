package nest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A report holds the fields of one line of format=json that the comparison needs.
type report struct {
	Type             string
	Access, Previous side
}

type side struct {
	Kind, Address, Expression, Position string
	Size                                uint64
}

func (s side) String() string { return fmt.Sprintf("%s of %s at %s", s.Kind, s.Expression, s.Position) }

func (s side) bounds() (lo, hi uint64) {
	lo, _ = strconv.ParseUint(s.Address, 0, 64)
	return lo, lo + s.Size
}

// Environment is the setting a program runs with: JSON reports, and each pair of places
// every time.
const Environment = "TASKINSTR=format=json suppress_equal_stacks=0"

// Check compares the output of a run with the truth of the case, and returns the faults.
func (c *Case) Check(output string) (faults []string) {
	base := make([]uint64, len(c.truth))
	covered := make([][]bool, len(c.truth))
	for i, t := range c.truth {
		covered[i] = make([]bool, len(t))
	}
	ended := false
	in := bufio.NewScanner(strings.NewReader(output))
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		line := in.Text()
		var id int
		var addr uint64
		if n, _ := fmt.Sscanf(line, "object %d 0x%x", &id, &addr); n == 2 && id < len(base) {
			base[id] = addr
			continue
		}
		if line == "end" {
			ended = true
		}
		if !strings.HasPrefix(line, "{") {
			continue
		}
		var r report
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			faults = append(faults, fmt.Sprintf("a report that is no JSON: %v: %s", err, line))
			continue
		}
		if f := c.account(r, base, covered); f != "" {
			if f = fmt.Sprintf("%s: %s\n\tand %s", f, r.Access, r.Previous); !slices.Contains(faults, f) {
				faults = append(faults, f)
			}
		}
	}
	if !ended {
		return append(faults, "the case did not run to its end:\n"+output)
	}
	for i, t := range c.truth {
		missing := 0
		for k, b := range t {
			if b&racy != 0 && !covered[i][k] {
				missing++
			}
		}
		if missing > 0 {
			faults = append(faults, fmt.Sprintf("%s: races on %d bytes were not reported%s", c.Objects[i], missing, extent(t, covered[i])))
		}
	}
	return faults
}

// account finds the object of a report and marks the bytes that the report covers.
func (c *Case) account(r report, base []uint64, covered [][]bool) (fault string) {
	lo, hi := r.Access.bounds()
	a, b := r.Previous.bounds()
	lo, hi = max(lo, a), min(hi, b)
	if lo >= hi {
		return fmt.Sprintf("%s on bytes that only one of the two accesses", r.Type)
	}
	for i, t := range c.truth {
		if lo < base[i] || lo >= base[i]+uint64(len(t)) {
			continue
		}
		if hi > base[i]+uint64(len(t)) {
			return fmt.Sprintf("%s beyond the end of %s", r.Type, c.Objects[i])
		}
		for k := lo - base[i]; k < hi-base[i]; k++ {
			switch {
			case t[k] == 0:
				return fmt.Sprintf("%s on byte %d of %s, which has none", r.Type, k, c.Objects[i])
			case r.Type != "race" && t[k]&perhaps == 0:
				return fmt.Sprintf("%s on byte %d of %s, which races without any lock", r.Type, k, c.Objects[i])
			}
			covered[i][k] = covered[i][k] || r.Type == "race"
		}
		return ""
	}
	return r.Type + " on memory that tasks do not share"
}

// extent describes the first range of racy bytes that no report covers.
func extent(t []status, covered []bool) string {
	for lo := range t {
		if t[lo]&racy == 0 || covered[lo] {
			continue
		}
		hi := lo
		for hi < len(t) && t[hi]&racy != 0 && !covered[hi] {
			hi++
		}
		return fmt.Sprintf(", from %d to %d", lo, hi)
	}
	return ""
}
