package gen

import (
	"bytes"
	"maps"
	"regexp"
	"testing"

	"taskinstr/cmd/tilab/internal/programs/random"
)

func TestProgramIsDeterministic(t *testing.T) {
	a, err := Program(7, 20)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Program(7, 20)
	if err != nil {
		t.Fatal(err)
	}
	if !maps.EqualFunc(a, b, bytes.Equal) {
		t.Error("the same seed gave two programs")
	}
	c, err := Program(8, 20)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(a["cases.go"], c["cases.go"]) {
		t.Error("two seeds gave the same program")
	}
}

// TestCasesHaveEverything keeps the generator from losing a feature silently.
func TestCasesHaveEverything(t *testing.T) {
	files, err := Program(1, 200)
	if err != nil {
		t.Fatal(err)
	}
	for _, re := range []string{
		`want race `, `want predicted `, `want race \d+ nostock`, `\(fixed\)`, `\(racy\)`,
		`go t\d+\(\)`, `w\d_\d\.Wait`, `<-c\d`, `c\d <- 1`, `close\(closed\)`, `awaitFlag`,
		`make\(chan int, 0\)`, `RLock`, `mu\d\.Lock`, `copy\(`, `clear\(`, `uint8\b`, `uint64\b`, `v\.r\d`, `v\.s\d`,
	} {
		if n := len(regexp.MustCompile(re).FindAll(files["cases.go"], -1)); n < 5 {
			t.Errorf("%s occurs %d times", re, n)
		}
	}
}

// TestOrdersContain checks that each order contains the one before it.
func TestOrdersContain(t *testing.T) {
	for seed := range uint64(50) {
		c := newCase(random.New(1, int(seed)), "Case", seed%2 == 1)
		o := ordersOf(c.nodes)
		for i := range c.nodes {
			for j := range c.nodes {
				s, w, hb, p := o.structural.Has(i, j), o.weak.Has(i, j), o.hb.Has(i, j), o.possible.Has(i, j)
				if s && !w || w && !hb || hb && !p {
					t.Fatalf("seed %d: nodes %d, %d: structural %v, weak %v, happens-before %v, possible %v", seed, i, j, s, w, hb, p)
				}
				if hb && j <= i {
					t.Fatalf("seed %d: node %d is ordered before %d", seed, i, j)
				}
			}
		}
	}
}

// TestTierOfKnown builds three small graphs by hand.
func TestTierOfKnown(t *testing.T) {
	x := &variable{}
	w := &access{x, form{write: true, hi: 8}}
	far := &access{x, form{write: true, lo: 8, hi: 16}}
	l := &lock{}
	g := &access{&variable{}, form{write: true, hi: 8}}
	tests := []struct {
		name             string
		first, second    *access
		inFirst, inSecod *access // of the sections between
		want             string
	}{
		{"no section", w, w, nil, nil, "race"},
		{"other bytes", w, far, nil, nil, ""},
		{"empty sections", w, w, &access{v: &variable{}}, &access{v: &variable{}}, "predicted"},
		{"conflicting sections", w, w, g, g, ""},
	}
	for _, tt := range tests {
		a, b := &node{id: 0, at: tt.first}, &node{id: 3, at: tt.second}
		s1, s2 := &node{id: 1, at: tt.inFirst, write: true}, &node{id: 2, at: tt.inSecod, write: true}
		if tt.inFirst != nil {
			s1.lock, s2.lock = l, l
		}
		a.succ, s2.succ = []int{1}, []int{3}
		o := ordersOf([]*node{a, s1, s2, b})
		if got := o.tier(a, b); got != tt.want {
			t.Errorf("%s: tier %q, want %q", tt.name, got, tt.want)
		}
	}
}
