// Command tables prints the tables of the DRDP paper with the counts of detector/offline/drdp on
// models of the paper's programs, beside the paper's figures:
//
//	go run ./benchmarks/drdp/tables            # all four, some minutes
//	go run ./benchmarks/drdp/tables -table 1,3
//
// Table 1 is the correctness table (package benchmarks/datarace). Table 2 has the
// detector's counts at the paper's sizes, with each row of a block checked once in a
// step. Table 3 compares the traversals. Table 4 compares checks of each access with
// checks of rows, at smaller sizes than the paper's.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"taskinstr/benchmarks/datarace"
	"taskinstr/benchmarks/model"
	"taskinstr/benchmarks/model/kernels"
	"taskinstr/detector/event"
	"taskinstr/detector/offline/drdp"
)

func main() {
	tables := flag.String("table", "1,2,3,4", "which tables")
	flag.Parse()
	print := map[string]func() error{"1": correctness, "2": statistics, "3": traversals, "4": redundancy}
	for name := range strings.SplitSeq(*tables, ",") {
		f := print[name]
		if f == nil {
			fmt.Fprintf(os.Stderr, "tables: -table %s: there are 1, 2, 3 and 4\n", name)
			os.Exit(2)
		}
		if err := f(); err != nil {
			fmt.Fprintf(os.Stderr, "tables: table %s: %v\n", name, err)
			os.Exit(1)
		}
		fmt.Println()
	}
}

// A result holds the counts, time and memory of a detector on one model.
type result struct {
	counts map[string]int64
	time   time.Duration // without the time of the model itself
	memory uint64        // the heap at the end
}

// measure takes the best time of several runs.
func measure(m kernels.Model, checks kernels.Checks, options map[string]string, runs int) (result, error) {
	var best result
	for i := range runs {
		r, err := once(m, checks, options)
		if err != nil {
			return r, err
		}
		if i == 0 || r.time < best.time {
			best = r
		}
	}
	return best, nil
}

func once(m kernels.Model, checks kernels.Checks, options map[string]string) (result, error) {
	start := time.Now()
	if err := model.Run(func(*event.Event) {}, func(t *model.Task) { m.Run(t, checks) }); err != nil {
		return result{}, err
	}
	empty := time.Since(start)

	races := 0
	d, err := drdp.Spec.New(event.Config{Option: options, Report: func(event.Race) { races++ }})
	if err != nil {
		return result{}, err
	}
	start = time.Now()
	if err := model.Run(d.Event, func(t *model.Task) { m.Run(t, checks) }); err != nil {
		return result{}, err
	}
	r := result{counts: map[string]int64{}, time: time.Since(start) - empty}
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	r.memory = stats.HeapAlloc
	for _, c := range d.Close() {
		r.counts[c.Name] = c.Value
	}
	if races > 0 {
		return r, fmt.Errorf("%s: %d races in a program that has none", m.Name, races)
	}
	return r, nil
}

// elements returns the number of floats that were read or written.
func (r result) elements(access string) int64 { return r.counts["bytes "+access] / 8 }

func correctness() error {
	fmt.Println("| program | races | paper: DRDP | drdp finds |")
	fmt.Println("|---|---|---|---|")
	for _, p := range datarace.All {
		racy, err := p.Find(drdp.Spec, nil)
		if err != nil {
			return err
		}
		label, paper := "no", "TN"
		if len(p.Racy) > 0 {
			label, paper = "yes, of "+strings.Join(p.Racy, ", "), "TP"
		}
		found := "nothing"
		if len(racy) > 0 {
			found = "races of " + strings.Join(racy, ", ")
		}
		fmt.Printf("| DRB%03d %s | %s | %s | %s |\n", p.Number, p.Name, label, paper, found)
	}
	return nil
}

func statistics() error {
	fmt.Println("| program | input | | height | writes | reads | tree joins | non-tree joins | tasks |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for _, c := range []struct {
		model kernels.Model
		paper string
	}{
		{kernels.Matmul(2048, 64), "7 | 134231771 | 268477586 | 28086 | 0 | 28087"},
		{kernels.Strassen(2048, 64), "12 | 123772570 | 243307611 | 29182 | 16380 | 45563"},
		{kernels.SparseLU(128, 32), "4 | 187379732 | 362287128 | 12416 | 357760 | 195521"},
		{kernels.Poisson(8192, 128, 3), "4 | 251658242 | 654802935 | 0 | 122870 | 106497"},
	} {
		r, err := measure(c.model, kernels.Rows, nil, 1)
		if err != nil {
			return err
		}
		n := r.counts
		fmt.Printf("| %s | %s | drdp | %d | %d | %d | %d | %d | %d |\n", c.model.Name, c.model.Input,
			n["height"], r.elements("written"), r.elements("read"), n["tree joins"], n["non-tree joins"], n["tasks"])
		fmt.Printf("| | | paper | %s |\n", c.paper)
		fmt.Fprintf(os.Stderr, "%s: %d checks of ranges, %.1f s, %d MB\n", c.model.Name, n["write checks"]+n["read checks"], r.time.Seconds(), r.memory>>20)
	}
	return nil
}

func traversals() error {
	fmt.Println("| program | input | order | joins | most visited | average | of those not older: most | average | paper: most | average |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	for _, c := range []struct {
		model kernels.Model
		paper [4]string
	}{
		{kernels.Strassen(512, 16), [4]string{"2 | 1.43", "337 | 11.04", "1 | 1.00", "4 | 1.13"}},
		{kernels.SparseLU(32, 8), [4]string{"544 | 8.85", "544 | 65.72", "2 | 1.07", "17 | 6.08"}},
		{kernels.Poisson(2048, 128, 3), [4]string{"32 | 9.54", "32 | 9.54", "6 | 2.84", "6 | 2.84"}},
	} {
		i := 0
		for _, order := range []string{"depth-first", "breadth-first"} {
			for _, joins := range []string{"back-to-front", "front-to-back"} {
				var visited string
				for _, age := range []string{"all", "newer"} {
					r, err := measure(c.model, kernels.Rows, map[string]string{"order": order, "joins": joins, "age": age}, 1)
					if err != nil {
						return err
					}
					n := r.counts
					visited += fmt.Sprintf(" %d | %.2f |", n["most points visited"], float64(n["points visited"])/float64(max(1, n["searches"])))
				}
				fmt.Printf("| %s | %s | %s | %s |%s %s |\n", c.model.Name, c.model.Input, order, joins, visited, c.paper[i])
				i++
			}
		}
	}
	return nil
}

func redundancy() error {
	fmt.Println("| program | input | checks | reachability checks | writes | reads | time | nanoseconds each |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, c := range []struct {
		model kernels.Model
		paper string // the cost factor of checking each access instead of each element once
	}{
		{kernels.Matmul(256, 64), "+0% | +0% | +6299% | 11.4"},
		{kernels.Strassen(256, 16), "+496% | -47% | +408% | 3.3"},
		{kernels.Poisson(1024, 128, 3), "+84% | -0% | +154% | 2.4"},
		{kernels.SparseLU(32, 16), "+84% | +3029% | +3219% | 10.2"},
	} {
		rows, err := measure(c.model, kernels.Rows, nil, 5)
		if err != nil {
			return err
		}
		each, err := measure(c.model, kernels.Each, nil, 2)
		if err != nil {
			return err
		}
		line := func(checks string, r result, ratio float64) {
			n := r.counts
			fmt.Printf("| %s | %s | %s | %d | %d | %d | %.0f | %.0f |\n", c.model.Name, c.model.Input, checks,
				n["reachability checks"], n["write checks"], n["read checks"], ratio,
				float64(r.time.Nanoseconds())/float64(n["write checks"]+n["read checks"]))
		}
		line("each row once", rows, 1)
		fmt.Printf("| | | (its elements) | | %d | %d | | |\n", rows.elements("written"), rows.elements("read"))
		line("each access", each, each.time.Seconds()/rows.time.Seconds())
		fmt.Printf("| | | paper: each access against each element once | %s | |\n", c.paper)
	}
	return nil
}
