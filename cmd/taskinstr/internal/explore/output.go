package explore

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"taskinstr/detector/event"
	"taskinstr/detector/trace/report"
	"taskinstr/detector/zipper/orders/recorded"
)

// An output says what an exploration finds.
type output struct {
	w      io.Writer
	json   bool
	record string
}

// maxListed is how many sections of an order are listed.
const maxListed = 30

// An entry is a section as it is listed.
type entry struct {
	Task      string   `json:"task"`
	Goroutine uint64   `json:"goroutine"`
	Position  string   `json:"position"`
	Lock      string   `json:"lock"`
	Shared    bool     `json:"shared,omitempty"`
	Instead   []string `json:"instead,omitempty"` // tasks that could have come first
}

// entries lists the sections of a run from the first choice on.
func entries(r *recorded.Run) (list []entry) {
	chosen := false
	for i := range r.Sections {
		s := &r.Sections[i]
		e := entry{Task: s.Name, Goroutine: r.Symbols.Goroutine(s.Task), Shared: s.Shared}
		e.Position, e.Lock = r.Position(s)
		for _, c := range r.Record.Choices[s.Choice].Candidates {
			if c.Task != s.Name && !c.Blocked {
				e.Instead = append(e.Instead, c.Task)
			}
		}
		chosen = chosen || e.Instead != nil
		if chosen {
			list = append(list, e)
		}
	}
	return list
}

// race reports a race, the order of its run, and where the record is.
func (o *output) race(f *finding, p *program) error {
	file := ""
	if f.Tier == event.TierRace && o.record != "" {
		file = o.record
		if f.number > 1 {
			file = fmt.Sprintf("%s.%d", o.record, f.number)
		}
		if err := p.keep(file); err != nil {
			return fmt.Errorf("-record: %w", err)
		}
	}
	list := entries(f.run)
	if o.json {
		line, err := report.JSON(f.symbols, f.Race)
		if err != nil {
			return err
		}
		o.w.Write(append(line, '\n'))
		if list == nil {
			list = []entry{}
		}
		return o.object(struct {
			Type        string  `json:"type"`
			Fingerprint string  `json:"fingerprint"`
			Sections    []entry `json:"sections"`
			Record      string  `json:"record,omitempty"`
		}{"order", fmt.Sprintf("%016x", report.Fingerprint(f.symbols, f.First.Party, f.Second.Party)), list, file})
	}
	report.Text(o.w, f.symbols, f.Race)
	if len(list) == 0 {
		fmt.Fprintln(o.w, "No order of critical sections was chosen in this run.")
	} else {
		fmt.Fprintln(o.w, "Critical sections came in this order:")
	}
	for i, e := range list {
		if i == maxListed {
			fmt.Fprintf(o.w, "  and %d more\n", len(list)-i)
			break
		}
		fmt.Fprintln(o.w, e.line(i))
	}
	if file != "" {
		fmt.Fprintf(o.w, "To run it again: TASKINSTR=schedule=replay:%s and the program as it was built here.\n", file)
	}
	return nil
}

// line is the i-th line of a list.
func (e *entry) line(i int) string {
	who, lock, instead := "", "", ""
	if e.Task != "main" {
		who = fmt.Sprintf(" (goroutine %d)", e.Goroutine)
	}
	if e.Lock != "" {
		lock = " enters " + e.Lock
	}
	if e.Shared {
		lock += " (shared)"
	}
	if e.Instead != nil {
		instead = ", before " + strings.Join(e.Instead, ", ")
	}
	return fmt.Sprintf("  %2d. %s%s%s at %s%s", i+1, e.Task, who, lock, e.Position, instead)
}

func (o *output) object(x any) error {
	line, err := json.Marshal(x)
	if err != nil {
		return err
	}
	_, err = o.w.Write(append(line, '\n'))
	return err
}

// verdict says in one line what the exploration has shown.
func (s *session) verdict() string {
	orders := fmt.Sprintf("%d orders of critical sections, in %d runs", s.orders, s.program.runs)
	if s.orders == 1 {
		orders = fmt.Sprintf("1 order of critical sections, in %d runs", s.program.runs)
		if s.program.runs == 1 {
			orders = "1 order of critical sections, in 1 run"
		}
	}
	proved := s.proved()
	switch n := s.counted[event.TierRace]; {
	case n > 0 && s.complete:
		return fmt.Sprintf("%d data race(s); all orders that can make a difference were seen: %s", n, orders)
	case n > 0:
		return fmt.Sprintf("%d data race(s) in %s; not all orders were seen: %s", n, orders, s.reason)
	case !s.complete:
		return fmt.Sprintf("no data race in %s; not all orders were seen: %s", orders, s.reason)
	case len(proved) == 0:
		return fmt.Sprintf("no data race in all orders that can make a difference (%s); it is no proof, since some of what happened is outside of the model", orders)
	}
	in := ""
	if s.packages != "" {
		in = ", in the packages that are checked, " + s.packages
	}
	return fmt.Sprintf("no schedule of this program has a data race for this input%s: proved by %s in all orders that can make a difference (%s)", in, strings.Join(proved, ", "), orders)
}

// result ends the output.
func (o *output) result(s *session) error {
	if o.json {
		type kind struct {
			Detector  string   `json:"detector"`
			Kind      string   `json:"kind"`
			Count     int64    `json:"count"`
			Positions []string `json:"positions"`
		}
		kinds := []kind{}
		s.eachOutside(func(detector, what string, c *counted) {
			kinds = append(kinds, kind{detector, what, c.n, append([]string{}, c.places...)})
		})
		return o.object(struct {
			Type      string   `json:"type"`
			Verdict   string   `json:"verdict"`
			Proof     bool     `json:"proof"`
			ProvedBy  []string `json:"provedBy"`
			Complete  bool     `json:"complete"`
			Races     int      `json:"races"`
			Predicted int      `json:"predicted"`
			Possible  int      `json:"possible"`
			Orders    int      `json:"orders"`
			Runs      int      `json:"runs"`
			Outside   []kind   `json:"outside"`
		}{"exploration", s.verdict(), len(s.proved()) > 0, append([]string{}, s.proved()...), s.complete, s.counted[event.TierRace], s.counted[event.TierPredicted],
			s.counted[event.TierPossible], s.orders, s.program.runs, kinds})
	}
	fmt.Fprintf(o.w, "explored: %s\n", s.verdict())
	s.eachOutside(func(detector, what string, c *counted) {
		fmt.Fprintf(o.w, "  outside of the model of %s: %s, %d times\n", detector, what, c.n)
		for _, at := range c.places {
			fmt.Fprintf(o.w, "    at %s\n", at)
		}
	})
	return nil
}

func (s *session) eachOutside(f func(detector, kind string, c *counted)) {
	for _, d := range s.options.detectors {
		kinds := s.outside[d.Name]
		for _, k := range slices.Sorted(maps.Keys(kinds)) {
			f(d.Name, k, kinds[k])
		}
	}
}
