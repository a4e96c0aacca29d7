package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/detector/trace/report"
)

// confirmations is the number of schedules in which a predicted race is looked for.
const confirmations = 40

// confirm looks for a schedule in which a predicted race happens. In each schedule a goroutine
// that is about to make one of the two accesses waits for another goroutine to come to the
// other one (TASKINSTR=hold). It returns the race with the batch that showed it, or nil, and a
// sentence about the result.
func confirm(ctx context.Context, r batch.Runner, u *unit, o *options, f *batch.Finding, b batch.Batch) (*batch.Finding, batch.Batch, string) {
	var pair report.Report
	if err := json.Unmarshal(f.Report, &pair); err != nil || pair.Access.Position == "" || pair.Previous.Position == "" {
		return nil, b, "not confirmed: the report does not say where the accesses are"
	}
	hold := pair.Access.Position + "," + pair.Previous.Position
	if strings.ContainsAny(hold, " \t") || strings.Count(hold, ",") != 1 {
		return nil, b, "not confirmed: TASKINSTR cannot express the names of the files, with a space or a comma in them"
	}
	seen := tally{}
	for k, strategy := range o.strategies {
		c := *u.batch(o, strategy, 0, 1)
		c.Options = strings.TrimSpace(c.Options + " hold=" + hold)
		n := confirmations / len(o.strategies)
		for i := range n {
			c.Seed = o.seed + uint64(k*n+i)
			result, err := r.Run(ctx, &c)
			if err != nil || ctx.Err() != nil {
				return nil, b, "not confirmed: there was no time left"
			}
			for _, x := range result.Findings {
				if x.Fingerprint == f.Fingerprint && x.Kind == batch.Race && x.Schedule != "" {
					return x, c, "predicted first, and then confirmed: it happens if each goroutine waits for the other one before its access"
				}
			}
			seen.add(result)
		}
	}
	return nil, b, "not confirmed: " + seen.reason()
}

// A tally counts what became of the goroutines at a pair of accesses.
type tally struct{ runs, held, alone, met int }

func (t *tally) add(r *batch.Result) {
	t.runs += r.Runs
	t.held += r.Notes[batch.NoteHeld]
	t.alone += r.Notes[batch.NoteAlone]
	t.met += r.Notes[batch.NoteMet]
}

// reason says why no schedule has shown the race.
func (t *tally) reason() string {
	switch {
	case t.held == 0:
		return fmt.Sprintf("no goroutine came to either access in %d schedules while another one was running", t.runs)
	case t.met > 0:
		return fmt.Sprintf("both goroutines were at their accesses in %d of %d schedules, and something else ordered them", t.met, t.runs)
	}
	return fmt.Sprintf("in %d of %d schedules a goroutine waited before its access; the other one could not come to its own meanwhile, or made it before", t.held, t.runs)
}
