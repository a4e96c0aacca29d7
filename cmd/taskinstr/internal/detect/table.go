package detect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"taskinstr/detector/offline/suite"
)

// maxPlaces bounds the places of a kind that are named.
const maxPlaces = 5

// table compares the detectors.
func (o *output) table(results []*suite.Result) {
	if o.json {
		for _, r := range results {
			o.resultJSON(r)
		}
		return
	}
	if o.crashed {
		fmt.Fprintln(o.w, "The trace has no end: the program was killed, or is still running. What follows is of the part that there is.")
	}
	if p := o.symbols.Meta["packages"]; p != "" && p != "all" {
		fmt.Fprintf(o.w, "The trace has the accesses of the packages that are checked, %s: what follows is of these.\n", p)
	}
	t := tabwriter.NewWriter(o.w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "detector\traces\tpredicted\tpossible\tevents\ttime\tmemory\tcounters")
	for _, r := range results {
		races, predicted, possible := r.Count()
		var counters []string
		for _, c := range r.Counters {
			counters = append(counters, fmt.Sprintf("%s %d", c.Name, c.Value))
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%v\t%s\t%s\n", r.Choice.Name, races, predicted, possible, r.Events,
			r.Time.Round(10*time.Microsecond), size(r.Memory), strings.Join(counters, ", "))
	}
	t.Flush()
	for _, r := range results {
		s := r.Summary()
		fmt.Fprintf(o.w, "%s: %s", s.Detector, s.Verdict)
		if s.Theorem != "" {
			fmt.Fprintf(o.w, " [%s]", s.Theorem)
		}
		fmt.Fprintln(o.w)
		if r.Late >= 0 {
			fmt.Fprintf(o.w, "  event %d is in no depth-first order: a task waits there for what runs later\n", r.Late)
		}
		o.places("outside of its model", s.Outside)
		o.places("choice", s.Choices)
	}
}

// places names the events outside of a detector's model, or the choices.
func (o *output) places(what string, list []suite.Place) {
	for len(list) > 0 {
		same := slices.IndexFunc(list, func(p suite.Place) bool { return p.Kind != list[0].Kind })
		if same < 0 {
			same = len(list)
		}
		n := int64(0)
		for _, p := range list[:same] {
			n += p.Count
		}
		fmt.Fprintf(o.w, "  %s: %s, %d times\n", what, strings.TrimSuffix(list[0].Kind, ","), n)
		for k, p := range list[:same] {
			if k == maxPlaces {
				fmt.Fprintf(o.w, "    and %d more places\n", same-k)
				break
			}
			fmt.Fprintf(o.w, "    at %s, %d times\n", cmp.Or(p.Position, "an unknown place"), p.Count)
		}
		list = list[same:]
	}
}

func (o *output) resultJSON(r *suite.Result) {
	line, err := json.Marshal(struct {
		Type string `json:"type"`
		suite.Summary
	}{"detector", r.Summary()})
	if err != nil {
		panic(err) // all its values have a form in JSON
	}
	o.w.Write(append(line, '\n'))
}

// size writes a number of bytes for people.
func size(n uint64) string {
	const unit = 1 << 10
	v, name := float64(n), "B"
	for _, next := range []string{"KiB", "MiB", "GiB"} {
		if v < unit {
			break
		}
		v /= unit
		name = next
	}
	return strconv.FormatFloat(v, 'f', 0, 64) + " " + name
}
