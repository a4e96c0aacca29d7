package splice

import (
	"encoding/json"
	"fmt"
	"sort"

	"taskinstr/internal/site"
)

// A planText is the text form of a Plan: JSON, in an order that the plan alone determines.
type planText struct {
	Files   map[string]string
	Fates   []fateText `json:",omitempty"`
	Inserts []Insert   `json:",omitempty"`
	Calls   []Call     `json:",omitempty"`
	Lent    []site.Pos `json:",omitempty"`

	Borrowers  []Borrower `json:",omitempty"`
	Overwrites []string
	Leaks      []Leak    `json:",omitempty"`
	Loads      []Load    `json:",omitempty"`
	Why        []whyText `json:",omitempty"`
}

type whyText struct {
	site.Key
	Why string
}

type fateText struct {
	site.Key
	Fate
}

// Encode returns the plan as text. Equal plans have equal texts.
func (p *Plan) Encode() ([]byte, error) {
	t := planText{Files: p.Files, Inserts: p.Inserts, Calls: p.Calls, Lent: p.Lent, Borrowers: p.Borrowers, Overwrites: p.Overwrites, Leaks: p.Leaks, Loads: p.Loads}
	for k, f := range p.Fates {
		t.Fates = append(t.Fates, fateText{k, f})
	}
	sort.Slice(t.Fates, func(i, j int) bool { return t.Fates[i].Less(t.Fates[j].Key) })
	for k, w := range p.Why {
		t.Why = append(t.Why, whyText{k, w})
	}
	sort.Slice(t.Why, func(i, j int) bool { return t.Why[i].Less(t.Why[j].Key) })
	return json.Marshal(t)
}

// DecodePlan returns the plan whose text Encode has returned.
func DecodePlan(text []byte) (*Plan, error) {
	var t planText
	if err := json.Unmarshal(text, &t); err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	p := &Plan{Files: t.Files, Fates: map[site.Key]Fate{}, Inserts: t.Inserts, Calls: t.Calls, Lent: t.Lent, Borrowers: t.Borrowers, Overwrites: t.Overwrites, Leaks: t.Leaks, Loads: t.Loads}
	for _, f := range t.Fates {
		p.Fates[f.Key] = f.Fate
	}
	for _, w := range t.Why {
		if p.Why == nil {
			p.Why = map[site.Key]string{}
		}
		p.Why[w.Key] = w.Why
	}
	return p, nil
}
