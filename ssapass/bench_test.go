package ssapass

import (
	"flag"
	"runtime"
	"strings"
	"testing"
	"time"
)

var (
	benchDir      = flag.String("ssapass.dir", "..", "directory of the program that BenchmarkAnalyze analyses")
	benchPackages = flag.String("ssapass.packages", "./examples/bank", "packages of the program that BenchmarkAnalyze analyses")
	benchList     = flag.Bool("ssapass.v", false, "let BenchmarkAnalyze list the facts of each site")
)

// BenchmarkAnalyze reports the time of each part of the analysis, the memory that the
// process has from the system at the end, and how many sites have each fact.
func BenchmarkAnalyze(b *testing.B) {
	parts := map[string]time.Duration{}
	sites := map[string]int{}
	count := map[string]int{}
	for b.Loop() {
		clear(sites)
		timed := func(part string, f func()) {
			start := time.Now()
			f()
			parts[part] += time.Since(start)
		}
		var p *Program
		a := new(Analysis)
		timed("load", func() { p = load(b, *benchDir, false, strings.Fields(*benchPackages)...) })
		a.prog = p
		timed("sites", func() { a.Sites = p.Sites() })
		timed("pointsto", func() { a.Points = p.PointsTo() })
		timed("summaries", a.summarize)
		timed("tasks", a.findTasks)
		timed("locks", func() { a.locksOnce.Do(a.findLocks) })
		count["packages"], count["functions"], count["sites"] = len(p.Packages), len(p.Functions()), len(a.Sites.List)
		for _, s := range a.Sites.List {
			words := facts(a, s)
			for _, w := range strings.Fields(words) {
				sites[w]++
			}
			if *benchList {
				b.Logf("%s:%d:%d %s write=%v elems=%v: %s", s.Key.File, s.Key.Line, s.Key.Col, s.Key.Expr, s.Key.Write, s.Key.Elems, words)
			}
		}
		if len(a.Sites.List) == 0 {
			b.Fatalf("%s has no site", *benchPackages)
		}
	}
	for part, d := range parts {
		b.ReportMetric(float64(d.Milliseconds())/float64(b.N), part+"-ms/op")
	}
	for name, n := range count {
		b.ReportMetric(float64(n), name)
	}
	for fact, n := range sites {
		b.ReportMetric(float64(n), fact+"-sites")
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys>>20), "MB")
}
