package suite

import (
	"cmp"
	"slices"

	"taskinstr/detector/theorem"
)

// A Summary is the result of one detector, for tables and as JSON.
type Summary struct {
	Detector  string           `json:"detector"`
	Verdict   string           `json:"verdict"`
	Theorem   theorem.Theorem  `json:"theorem"` // "": nothing is proved
	Races     int              `json:"races"`
	Predicted int              `json:"predicted"`
	Possible  int              `json:"possible"`
	Outside   []Place          `json:"outside"` // events outside of the model
	Choices   []Place          `json:"choices"` // choices on which the theorem depends
	Events    int64            `json:"events"`
	Seconds   float64          `json:"seconds"`
	Bytes     uint64           `json:"bytes"`
	Complete  bool             `json:"complete"`               // the trace has its end record
	Refused   string           `json:"not_analysed,omitempty"` // the reason why the detector has not analyzed the run
	Counters  map[string]int64 `json:"counters"`
}

// A Place is a kind of event at a position, which may be empty.
type Place struct {
	Kind     string `json:"kind"`
	Position string `json:"position"`
	Count    int64  `json:"count"`
}

// Summary returns the summary of a result.
func (r *Result) Summary() Summary {
	s := Summary{
		Detector: r.Choice.Name,
		Verdict:  r.Verdict(),
		Theorem:  r.Theorem,
		Outside:  r.places(r.Outside),
		Choices:  r.places(r.Choices),
		Events:   r.Events,
		Seconds:  r.Time.Seconds(),
		Bytes:    r.Memory,
		Complete: !r.Partial,
		Counters: map[string]int64{},
	}
	if r.Refused != nil {
		s.Refused = r.Refused.Error()
	}
	s.Races, s.Predicted, s.Possible = r.Count()
	for _, c := range r.Counters {
		s.Counters[c.Name] = c.Value
	}
	return s
}

// places adds up the counts of events whose kind and position have the same text.
func (r *Result) places(list []Outside) []Place {
	count := map[Place]int64{}
	for _, o := range list {
		count[Place{Kind: o.Kind, Position: r.Symbols.Position(o.Site, o.Stack)}] += o.Count
	}
	places := []Place{}
	for p, n := range count {
		p.Count = n
		places = append(places, p)
	}
	slices.SortFunc(places, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Position, b.Position))
	})
	return places
}
