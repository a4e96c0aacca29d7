package detect

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"taskinstr/detector/suite"
)

// maxPlaces is how many places of a kind are named that lie outside of a model.
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
		fmt.Fprintf(o.w, "%s: %s\n", r.Choice.Name, r.Verdict())
		if r.Late >= 0 {
			fmt.Fprintf(o.w, "  event %d is in no depth-first order: a task waits there for what runs later\n", r.Late)
		}
		o.outside(r)
	}
}

// outside names what a detector did not understand.
func (o *output) outside(r *suite.Result) {
	for i := 0; i < len(r.Outside); {
		kind, n := r.Outside[i].Kind, int64(0)
		counts := map[string]int64{}
		var places []string
		for ; i < len(r.Outside) && r.Outside[i].Kind == kind; i++ {
			x := r.Outside[i]
			at := o.symbols.Position(x.Site, x.Stack)
			if at == "" {
				at = "an unknown place"
			}
			if counts[at] == 0 {
				places = append(places, at)
			}
			counts[at] += x.Count
			n += x.Count
		}
		fmt.Fprintf(o.w, "  outside of its model: %s, %d times\n", kind, n)
		for k, at := range places {
			if k == maxPlaces {
				fmt.Fprintf(o.w, "    and %d more places\n", len(places)-k)
				break
			}
			fmt.Fprintf(o.w, "    at %s, %d times\n", at, counts[at])
		}
	}
}

func (o *output) resultJSON(r *suite.Result) {
	type outside struct {
		Kind     string `json:"kind"`
		Position string `json:"position"`
		Count    int64  `json:"count"`
	}
	races, predicted, possible := r.Count()
	x := struct {
		Type      string           `json:"type"`
		Detector  string           `json:"detector"`
		Verdict   string           `json:"verdict"`
		Races     int              `json:"races"`
		Predicted int              `json:"predicted"`
		Possible  int              `json:"possible"`
		Events    int64            `json:"events"`
		Seconds   float64          `json:"seconds"`
		Bytes     uint64           `json:"bytes"`
		Complete  bool             `json:"complete"`
		Counters  map[string]int64 `json:"counters"`
		Outside   []outside        `json:"outside"`
	}{"detector", r.Choice.Name, r.Verdict(), races, predicted, possible, r.Events, r.Time.Seconds(), r.Memory, !o.crashed,
		map[string]int64{}, []outside{}}
	for _, c := range r.Counters {
		x.Counters[c.Name] = c.Value
	}
	for _, y := range r.Outside {
		x.Outside = append(x.Outside, outside{y.Kind, o.symbols.Position(y.Site, y.Stack), y.Count})
	}
	line, err := json.Marshal(x)
	if err != nil {
		panic(err) // there is nothing in it that has no JSON
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
