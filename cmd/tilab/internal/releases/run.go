package releases

import (
	"context"
	"fmt"
	"os"
	"strings"
)

// A Case is one version of a release.
type Case struct {
	*Release
	Fixed bool // the version after
}

// Cases returns the cases of releases, the version before the fix first.
func Cases(list []*Release) []Case {
	var cases []Case
	for _, r := range list {
		cases = append(cases, Case{r, false}, Case{r, true})
	}
	return cases
}

// Version is the version of the module that c is about.
func (c Case) Version() string {
	if c.Fixed {
		return c.After
	}
	return c.Before
}

func (c Case) String() string { return c.Name + "@" + c.Version() }

// A Result is the outcome of a case.
type Result struct {
	Ours  Figures
	Stock *Figures // nil if -race was not run
	Verdict
}

// Test runs c with the tool ours, and with -race for comparison unless stock is nil.
func (h *Host) Test(ctx context.Context, c Case, ours Tool, stock *Tool, p Plan) (Result, error) {
	s, err := h.prepare(ctx, c)
	if err != nil {
		return Result{}, err
	}
	if !h.Keep {
		defer os.RemoveAll(s.dir)
	}
	var res Result
	if stock != nil {
		f, err := h.measure(ctx, c, s, *stock, p)
		if err != nil {
			return Result{}, err
		}
		res.Stock = &f
	}
	if res.Ours, err = h.measure(ctx, c, s, ours, p); err != nil {
		return Result{}, err
	}
	if c.Fixed {
		res.Verdict = judgeAfter(c.Release, res.Ours, res.Stock)
	} else {
		res.Verdict = judgeBefore(res.Ours, res.Stock)
	}
	return res, nil
}

// Rates writes one figure of each count, "20/20 19/20".
func Rates(counts []Count, figure func(Count) int) string {
	var list []string
	for _, c := range counts {
		list = append(list, fmt.Sprintf("%d/%d", figure(c), c.Runs))
	}
	return strings.Join(list, " ")
}
