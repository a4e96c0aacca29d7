// Command go-json writes and reads the same records in eight tasks with goccy/go-json,
// which compiles an encoder and a decoder for each type and shares them.
package main

import (
	"fmt"
	"log"
	"reflect"
	"sync"

	"github.com/goccy/go-json"
)

const (
	tasks  = 8
	rounds = 100 // of each task
)

type place struct {
	City string    `json:"city"`
	At   []float64 `json:"at,omitempty"`
}

type person struct {
	Name    string            `json:"name"`
	Age     int               `json:"age"`
	Home    *place            `json:"home"`
	Tags    []string          `json:"tags"`
	Friends []person          `json:"friends,omitempty"`
	Notes   map[string]string `json:"notes"`
	Extra   any               `json:"extra"`
}

func newPerson(n, friends int) person {
	p := person{
		Name:  fmt.Sprintf("person \"%d\"\n", n),
		Age:   n,
		Home:  &place{City: "Zürich", At: []float64{47.37, 8.54}},
		Tags:  []string{"a", "b", "c"},
		Notes: map[string]string{"first": "one", "second": "two"},
		Extra: map[string]any{"list": []any{1.0, "x", nil, true}},
	}
	for i := range friends {
		p.Friends = append(p.Friends, newPerson(n+i, 0))
	}
	return p
}

func main() {
	var wg sync.WaitGroup
	for t := range tasks {
		wg.Go(func() {
			for i := range rounds {
				p := newPerson(t*rounds+i, 10)
				text := must(json.Marshal(p))
				var q person
				check(json.Unmarshal(text, &q))
				if !reflect.DeepEqual(p, q) {
					log.Fatalf("read %+v, want %+v", q, p)
				}
				var free map[string]any
				if err := json.Unmarshal(text, &free); err != nil || len(free) != 7 {
					log.Fatalf("%d keys, %v", len(free), err)
				}
			}
		})
	}
	wg.Wait()
}
