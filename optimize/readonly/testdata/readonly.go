// Reads of memory that no task writes while tasks run.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type config struct {
	size  int
	name  string
	count int
	rows  [][]float64
}

var (
	cfg   = &config{}
	table [8]int
	hits  int
	late  int
	gone  *config
)

func work(c *config, out []float64) {
	for i := range c.size { // want c.size r: proof
		out[i] = c.rows[i][0] // want c.rows r: proof / c.rows[i] r: proof / c.rows[i][0] r: proof / out[i] w: kept — a write
	}
	c.count++                        // want c.count w: kept
	use(table[1], hits, len(c.name)) // want table[1] r: proof / hits r: kept / c.name r: proof
}

func through(c *config) int {
	p := &c.count
	return *p // want *p r: kept — written under another name
}

func use(...any) {}

func later(n int) {
	at := n
	if n > 4 {
		at = 4
	}
	go func() { use(at) }()             // want at r: proof — written before the task exists
	c := &config{size: n}               // a literal's elements are no accesses
	d := &config{name: "d"}             //
	go func() { use(c.size, d.name) }() // want c.size r: proof / d.name r: kept
	d.name = "e"                        // beside the task
	for i := 0; i < n; i++ {            // want i r: proof,proof,kept — the copy, the condition; i++ is one check, of the write
		go func() { use(i) }() // want i r: proof
	}
	for i := 0; i < n; i++ { // want i r: kept,kept,kept
		go func() { i++; use(i) }() // want i r: kept,kept
	}
}

func bump() { hits++ } // want hits w: kept

func main() {
	cfg.size = 4
	cfg.name = "a"
	for i := range cfg.size {
		cfg.rows = append(cfg.rows, make([]float64, 1))
		table[i] = i
	}
	out := make([]float64, 4)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			work(cfg, out)
			through(cfg)
			bump()
			use(late)       // want late r: kept — main writes it beside the tasks
			out[0] = out[1] // want out[1] r: kept / out[0] w: kept
		}()
	}
	late = 1
	wg.Wait()
	cfg.size = 5                                                              // alone again
	runtime.SetFinalizer(&config{}, func(*config) { fmt.Println(gone.size) }) // want gone.size r: kept / gone r: kept — may run while main writes
	gone = &config{}
	later(len(out))
}
