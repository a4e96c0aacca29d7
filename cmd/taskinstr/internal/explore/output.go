package explore

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"taskinstr/cmd/taskinstr/internal/reports"
	"taskinstr/detector/event"
	"taskinstr/detector/offline/zipper/orders/recorded"
	"taskinstr/detector/trace/report"
)

// An output prints the findings of an exploration.
type output struct {
	w      io.Writer
	json   bool
	record string
}

// maxListed bounds the sections of an order that are listed.
const maxListed = 30

// maxInstead bounds the tasks that a line of the list names; JSON has all of them.
const maxInstead = 4

// An entry is a section as it is listed.
type entry struct {
	Task      string   `json:"task"`
	Goroutine uint64   `json:"goroutine"`
	Position  string   `json:"position"`
	Lock      string   `json:"lock"`
	Shared    bool     `json:"shared,omitempty"`
	Instead   []string `json:"instead,omitempty"` // tasks that could have come first
}

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
	writeOrder(o.w, list)
	if file != "" {
		fmt.Fprintf(o.w, againText, file)
	}
	return nil
}

const againText = "To run it again: TASKINSTR=schedule=replay:%s and the program as it was built here.\n"

func writeOrder(w io.Writer, list []entry) {
	if len(list) == 0 {
		fmt.Fprintln(w, "No order of critical sections was chosen in this run.")
		return
	}
	fmt.Fprintln(w, "Critical sections came in this order:")
	for i, e := range list {
		if i == maxListed {
			fmt.Fprintf(w, "  and %d more\n", len(list)-i)
			return
		}
		fmt.Fprintln(w, e.line(i))
	}
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
		instead = ", before " + strings.Join(e.Instead[:min(len(e.Instead), maxInstead)], ", ")
		if n := len(e.Instead) - maxInstead; n > 0 {
			instead += fmt.Sprintf(" and %d more", n)
		}
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

// extent returns the sentence about the number of orders that were seen.
func (s *session) extent() string {
	seen := fmt.Sprintf("%s of critical sections in %s, ", reports.Count(s.orders, "order"), reports.Count(s.program.runs, "run"))
	if s.complete {
		return seen + "all that can make a difference"
	}
	return seen + "not all that can make a difference: " + s.reason
}

// verdict returns the sentence about the result of the exploration.
func (s *session) verdict() string {
	const open = "no race found, and no proof: "
	proved := s.proved()
	switch {
	case s.counted[event.TierRace] > 0:
		return reports.Count(s.counted[event.TierRace], "data race")
	case !s.complete:
		return open + "not all orders were seen"
	case len(proved) == 0:
		return open + "some of what happens is outside of the model"
	}
	in := ""
	if s.packages != "" {
		in = ", in the packages that are checked, " + s.packages
	}
	return fmt.Sprintf("no race in any schedule for this input%s (%s)", in, strings.Join(proved, ", "))
}

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
			Extent    string   `json:"extent"`
			Proof     bool     `json:"proof"`
			ProvedBy  []string `json:"provedBy"`
			Complete  bool     `json:"complete"`
			Races     int      `json:"races"`
			Predicted int      `json:"predicted"`
			Possible  int      `json:"possible"`
			Orders    int      `json:"orders"`
			Runs      int      `json:"runs"`
			Outside   []kind   `json:"outside"`
		}{"exploration", s.verdict(), s.extent(), len(s.proved()) > 0, append([]string{}, s.proved()...), s.complete, s.counted[event.TierRace], s.counted[event.TierPredicted],
			s.counted[event.TierPossible], s.orders, s.program.runs, kinds})
	}
	fmt.Fprintf(o.w, "explored: %s\nverdict: %s\n", s.extent(), s.verdict())
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
