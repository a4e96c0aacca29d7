package bench

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/internal/testfile"
	"taskinstr/cmd/taskinstr/internal/bench/chart/draw"
	"taskinstr/optimize"
)

func TestModes(t *testing.T) {
	n := len(optimize.Names())
	for text, want := range map[string]int{
		defaultModes: 5,
		"plain":      1,
		"all":        2, // and plain
		"alone, all": 2 + n,
		"passes":     3 + n,
		"without":    1 + n,
		"no-escape":  2,
	} {
		ms, err := parseModes(text, option.ScopeProgram)
		if err != nil || len(ms) != want || ms[0].name != plainMode {
			t.Errorf("%s: %v, %v; want %d", text, ms, err, want)
		}
	}
	if ms, err := parseModes("alone,none", option.ScopePackage); err != nil || len(ms) != 2+len(optimize.Local().Names()) {
		t.Errorf("alone in package scope: %v, %v", ms, err)
	}
	if _, err := parseModes("fast", option.ScopePackage); err == nil || !strings.Contains(err.Error(), "race, none, ") {
		t.Errorf("an unknown mode: %v", err)
	}
	e := &env{opts: &options{base: []string{"-locks=hb"}, build: []string{"-tags=x"}}, goPath: "go", self: "taskinstr"}
	for _, m := range allModes(option.ScopeProgram) {
		line := strings.Join(m.build(e, "e", "p"), " ")
		want := map[string]string{
			plainMode:   "go test -c -o e -tags=x p",
			raceMode:    "go test -c -race -o e -tags=x p",
			noneMode:    "taskinstr -locks=hb -own=on test -c -passes=none -scope=program -o e -tags=x p",
			allMode:     "taskinstr -locks=hb -own=on test -c -passes=all -scope=program -o e -tags=x p",
			"escape":    "taskinstr -locks=hb -own=on test -c -passes=escape -scope=program -o e -tags=x p",
			packageMode: "taskinstr -locks=hb -own=on test -c -passes=all -scope=package -o e -tags=x p",
		}[m.name]
		if want != "" && line != want {
			t.Errorf("%s: %s, want %s", m.name, line, want)
		}
		if m.name == "no-escape" && (m.set.Has("escape") || !m.set.Has("readonly")) {
			t.Errorf("%s: passes %s", m.name, m.set)
		}
	}
}

func TestParse(t *testing.T) {
	o, err := parse(option.Default(), strings.Fields("-tags=a ./x -count 3 -benchtime=7x ./y -bench=^A$/b -modes=race -trimpath"))
	if err != nil {
		t.Fatal(err)
	}
	if o.count != 3 || o.fixed != 7 || len(o.modes) != 2 || !slices.Equal(o.patterns, []string{"./x", "./y"}) ||
		!slices.Equal(o.build, []string{"-tags=a", "-trimpath=true"}) {
		t.Errorf("%+v", o)
	}
	for args, want := range map[string]string{
		"-count=0":       "at least one run",
		"-benchtime=0x":  "at least one iteration",
		"-benchtime=-1s": "more than 0",
		"-bench=a/(":     "missing closing",
		"-format=xml":    "there are table",
		"-modes=x":       "unknown mode",
		"-frob":          "unknown flag -frob",
	} {
		if _, err := parse(option.Default(), strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", args, err, want)
		}
	}
	if !strings.Contains(Help(), "-benchtime") || !strings.Contains(Help(), "no-PASS") || !strings.Contains(Help(), "-resume") {
		t.Error("the help text has no flags")
	}
}

const output = `goos: linux
BenchmarkSum/small-2         	    4530	     11034 ns/op	     112 B/op
BenchmarkSum/a-2-2           	      10	 1.5e+06 ns/op
BenchmarkPlain               	       1	         0.25 ns/op
PASS
taskinstr: counters at exit
  tasks forked                    8013
  checks made                     42
  detector bytes                  1048576
exit status 0
`

func TestReadOutput(t *testing.T) {
	want := []line{{"Sum/small", 4530, 11034}, {"Sum/a-2", 10, 1.5e6}, {"Plain", 1, 0.25}}
	if got := readLines(output, 2); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := readLines("BenchmarkSum-2 1 3 ns/op\n", 1); got[0].name != "Sum-2" {
		t.Errorf("with one processor there is no suffix, but the name is %s", got[0].name)
	}
	got := readCounters(output)
	if len(got) != 3 || got[checksCounter] != 42 || got["detector bytes"] != 1<<20 {
		t.Errorf("counters %v", got)
	}
	if readCounters("PASS\n") != nil {
		t.Error("counters of a program that prints none")
	}
	// Each element of the pattern matches its name and no other.
	elems := strings.Split(pattern("Sum/a+b"), "/")
	if len(elems) != 2 || !regexp.MustCompile(elems[1]).MatchString("a+b") || regexp.MustCompile(elems[0]).MatchString("BenchmarkSum2") {
		t.Errorf("pattern %q", elems)
	}
}

// sample is a report on two benchmarks; the second fails with race.
func sample() *Report {
	runs := func(ns ...float64) (list []Run) {
		for _, t := range ns {
			list = append(list, Run{Time: t, Wall: t / 1e9, CPU: 2 * t / 1e9, Memory: 1e6})
		}
		return list
	}
	many, few, same := 2e6, 1e4, 100.0
	r := &Report{
		Version: "v1", Go: "go1.26", GOOS: "linux", GOARCH: "amd64", Procs: 2, Count: 6, Modes: []string{plainMode, raceMode, noneMode, allMode},
		Benchmarks: []*Benchmark{
			{Package: "m/p", Name: "Sum/<big>", Iterations: 10, Modes: map[string]*Series{
				plainMode: {Runs: runs(100, 104, 102, 102, 102, 102)}, raceMode: {Runs: runs(1020, 1020, 1020, 1020, 918, 1020)},
				noneMode: {Runs: runs(816, 816, 816, 816, 816, 816), Checks: &many}, allMode: {Runs: runs(51, 51, 51, 51, 51, 51), Checks: &few},
			}},
			{Package: "m/p", Name: "Sort", Iterations: 1, Modes: map[string]*Series{
				plainMode: {Runs: runs(1000, 1000, 1000, 1000, 1000, 1200)}, raceMode: {Runs: []Run{}, Failed: "a data race"},
				noneMode: {Runs: runs(2000, 2000, 2000, 2000, 2000, 2000), Checks: &same}, allMode: {Runs: runs(2000, 2000, 2000, 2000, 2000, 2000), Checks: &same},
			}},
		},
		Packages: []*Package{{Path: "m/p", Modes: map[string]*Build{
			plainMode: {Compile: 1}, raceMode: {Compile: 2}, noneMode: {Compile: 3, Static: &Static{9, 9, 0, 0}}, allMode: {Compile: 4, Static: &Static{9, 3, 4, 2}},
		}}},
		Notes: []string{"a note"},
	}
	r.conclude()
	return r
}

func TestConclude(t *testing.T) {
	r := sample()
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("ratio of medians", r.Benchmarks[0].Modes[raceMode].Ratios.Time, 10)
	near("mean of 8 and 2", r.Means[noneMode].Time, 4)
	near("mean of 0.5 and 2", r.Means[allMode].Time, 1)
	near("mean without the one that failed", r.Means[raceMode].CPU, 10)
	near("spread", r.Benchmarks[1].Spread, 0.2)
	if !r.Noise.Noisy || !strings.Contains(r.Noise.Text, "1 of 2 benchmarks differ by more than 10 %, the runs of Sort by 20 %") {
		t.Errorf("noise: %+v", r.Noise)
	}
	r.Benchmarks = r.Benchmarks[:1]
	if n := r.noise(); n.Noisy || !strings.Contains(n.Text, "at most 3.9 %") {
		t.Errorf("noise of quiet runs: %+v", n)
	}
	r.Count = 1
	if n := r.noise(); !strings.Contains(n.Text, "nothing tells") {
		t.Errorf("noise of single runs: %+v", n)
	}
	near("median of four", median([]float64{4, 1, 3, 2}), 2.5)
	if f := sample().failures(); len(f) != 1 || !strings.Contains(f[0], "Sort, race: a data race") {
		t.Errorf("failures: %q", f)
	}
}

func TestLabels(t *testing.T) {
	for _, test := range []struct{ packages, want string }{
		{"m/p m/p", "A A"},
		{"m/x/p m/y/p", "x/p.A y/p.A"},
		{"m m/p", "m.A m/p.A"},
		{"m/x/p m/x/q", "p.A q.A"},
	} {
		r := new(Report)
		var got []string
		for p := range strings.FieldsSeq(test.packages) {
			r.Benchmarks = append(r.Benchmarks, &Benchmark{Package: p, Name: "A"})
		}
		labels := r.labels()
		for _, b := range r.Benchmarks {
			got = append(got, labels[b])
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", test.packages, got, test.want)
		}
	}
}

// Flags of GOFLAGS that would change every mode are refused.
func TestGoflags(t *testing.T) {
	t.Setenv("GOWORK", "off")
	for flags, want := range map[string]string{"-toolexec=taskinstr": "-toolexec", "-race": "-race", "-race=false": ""} {
		t.Setenv("GOFLAGS", flags)
		e, err := newEnv(&options{dir: t.TempDir()}, terminal.NewProgress(nil))
		if e != nil && err == nil {
			e.close()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("GOFLAGS=%s: error %v", flags, err)
		}
	}
}

func TestTable(t *testing.T) {
	var b strings.Builder
	if err := sample().writeTable(&b); err != nil {
		t.Fatal(err)
	}
	want := `taskinstr v1, go1.26 linux/amd64, GOMAXPROCS 2; medians of 6 runs

time, as a multiple of plain
  benchmark       plain  race         none       all
  Sum/<big>       102ns  10.00x ±10%  8.00x ±0%  0.50x ±0%
  Sort            1µs    -            2.00x ±0%  2.00x ±0%
  geometric mean         10.00x       4.00x      1.00x
`
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	for _, want := range []string{"2.00M  10.0k 99.5%\n", "arithmetic mean         49.8%\n", "m/p      9         9     3+2\n", "m/p      1.0    2.0   3.0   4.0\n", "too noisy", "a note"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	for ns, want := range map[float64]string{12.345: "12.3ns", 1234: "1.234µs", 12345: "12.35µs", 123456: "123.5µs", 1234567890: "1.235s"} {
		if got := duration(ns); got != want {
			t.Errorf("duration(%v) is %s, want %s", ns, got, want)
		}
	}
}

// The format of `go help testflag`: name, iterations, pairs of value and unit.
func TestBenchstat(t *testing.T) {
	var b strings.Builder
	if err := sample().writeBenchstat(&b); err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^Benchmark[^\s/]\S*/mode=\w+-2 \d+( [0-9.e+]+ \S+)+$`)
	n := 0
	for l := range strings.Lines(b.String()) {
		if strings.HasPrefix(l, "Benchmark") {
			n++
			if !form.MatchString(strings.TrimSuffix(l, "\n")) {
				t.Errorf("line %q", l)
			}
		}
	}
	if n != 42 {
		t.Errorf("%d lines, want one for each of 42 runs", n)
	}
	if !strings.Contains(b.String(), "BenchmarkSum/<big>/mode=all-2 10 51 ns/op 10.2 cpu-ns/op 1e+06 peak-bytes 10000 checks\n") ||
		!strings.Contains(b.String(), "\npkg: m/p\n") {
		t.Errorf("got\n%s", b.String())
	}
}

func TestCSV(t *testing.T) {
	var b strings.Builder
	if err := sample().writeCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || len(rows) != 9 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	cell := func(row []string, col string) string { return row[slices.Index(rows[0], col)] }
	all := rows[4]
	for col, want := range map[string]string{
		"benchmark": "Sum/<big>", "mode": "all", "ns_per_op": "51", "time_ratio": "0.5", "checks": "10000", "kept": "3", "guarded": "2", "compile_s": "4", "spread": "",
	} {
		if got := cell(all, col); got != want {
			t.Errorf("%s: %q, want %q", col, got, want)
		}
	}
	if cell(rows[6], "failed") != "a data race" || cell(rows[6], "ns_per_op") != "" || cell(rows[5], "spread") != "0.2" {
		t.Errorf("rows %q", rows[5:7])
	}
}

// wellFormed reads XML to its end.
func wellFormed(t *testing.T, text string, strict bool) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(text))
	dec.Strict, dec.AutoClose, dec.Entity = strict, []string{"meta"}, xml.HTMLEntity
	for {
		if _, err := dec.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
}

func TestChart(t *testing.T) {
	var svg strings.Builder
	if err := draw.Write(&svg, sample().chart(), "svg"); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, svg.String(), true)
	// A viewer that lacks the font keeps the width of each text.
	if a, b := strings.Count(svg.String(), "<text "), strings.Count(svg.String(), "<text textLength="); a == 0 || a != b {
		t.Errorf("%d of %d texts have a width", b, a)
	}
	for _, want := range []string{">16x<", ">0.5x<", ">race\u00a0", ">none\u00a0", ">all\u00a0", ">Sum/&lt;big&gt;<", ">geometric mean<", "medians of 6 runs"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("no %s in\n%s", want, svg.String())
		}
	}
	// One without intervals has no error bars.
	few := sample()
	for _, b := range few.Benchmarks {
		for _, s := range b.Modes {
			s.Runs = s.Runs[:min(len(s.Runs), 3)]
		}
	}
	few.conclude()
	var plain strings.Builder
	if err := draw.Write(&plain, few.chart(), "svg"); err != nil {
		t.Fatal(err)
	}
	if a, b := strings.Count(svg.String(), "<path"), strings.Count(plain.String(), "<path"); a <= b {
		t.Errorf("%d lines with intervals, %d without", a, b)
	}
	var picture bytes.Buffer
	if err := draw.Write(&picture, sample().chart(), "png"); err != nil {
		t.Fatal(err)
	}
	if c, err := png.DecodeConfig(&picture); err != nil || c.Width < 400 {
		t.Errorf("picture: %+v, %v", c, err)
	}
}

// The effect of a pass is signed, and has an interval.
func TestEffects(t *testing.T) {
	runs := func(ns ...float64) *Series {
		s := new(Series)
		for _, t := range ns {
			s.Runs = append(s.Runs, Run{Time: t, Wall: 1, CPU: 1, Memory: 1})
		}
		return s
	}
	r := &Report{Modes: []string{plainMode, noneMode, "hoist", without + "escape", without + "affine", without + "gather", allMode}, Benchmarks: []*Benchmark{
		{Package: "m/p", Name: "A", Modes: map[string]*Series{
			plainMode: runs(10, 10, 10, 10), noneMode: runs(100, 100, 100, 100), allMode: runs(20, 20, 20, 20),
			without + "escape": runs(40, 40, 40, 40), without + "affine": runs(10, 10, 10, 10), without + "gather": runs(15, 25, 16, 24), "hoist": runs(1, 1),
		}},
	}}
	r.conclude()
	var got []string
	for _, e := range r.Passes {
		got = append(got, fmt.Sprintf("%s %s %s", e.Pass, percent(e.Change), e.Verdict()))
	}
	want := "escape -50.0 % helps|gather +0.0 % no difference shown|affine +100.0 % costs"
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
	if g := r.effectTable(); !strings.Contains(g.title, "against all passes but this one") || !slices.Equal(g.rows[0], []string{"escape", "-50.0 %", "-50.0 % to -50.0 %", "helps", "A -50.0 %"}) {
		t.Errorf("table %+v", g)
	}
}

// A state has the runs of binaries that are still the same.
func TestState(t *testing.T) {
	s := &state{file: filepath.Join(t.TempDir(), "s.json")}
	r := sample()
	for _, m := range r.Modes {
		r.Packages[0].Modes[m].Binary = m
	}
	if err := s.save(r); err != nil {
		t.Fatal(err)
	}
	s.old = new(Report)
	if err := json.Unmarshal([]byte(testfile.Read(t, s.file)), s.old); err != nil {
		t.Fatal(err)
	}
	now := &target{path: "m/p", result: &Package{Path: "m/p", Modes: map[string]*Build{plainMode: {Binary: plainMode}, noneMode: {Binary: "changed"}, allMode: {Binary: allMode}}}}
	list := s.benchmarks(now)
	if len(list) != 2 || list[0].Name != "Sum/<big>" || list[0].Iterations != 10 || len(list[0].Modes) != 0 {
		t.Fatalf("benchmarks %+v", list)
	}
	for mode, n := range map[string]int{plainMode: 6, noneMode: 0, allMode: 6} {
		if got := s.series(now, list[0], mode); len(got.Runs) != n {
			t.Errorf("%s: %d runs, want %d", mode, len(got.Runs), n)
		}
	}
	now.result.Modes[plainMode].Binary = "changed"
	if s.benchmarks(now) != nil || len(s.series(now, list[0], allMode).Runs) != 0 {
		t.Error("the runs of another program count")
	}
}

// The remaining time: runs take as long as before, other packages as long as the first.
func TestLeft(t *testing.T) {
	a, b := &Series{Runs: []Run{{}}}, &Series{}
	m := &measurement{
		env: &env{opts: &options{count: 3}}, took: map[*Series]time.Duration{a: 2 * time.Second}, targets: 1, built: 1,
		report: &Report{Benchmarks: []*Benchmark{{Modes: map[string]*Series{"x": a, "y": b, "z": {Failed: "f"}}}}},
	}
	if got := m.left(); got != ", about 10s left" { // two runs of a, three of b
		t.Errorf("left: %s", got)
	}
	if m.total() != 6 {
		t.Errorf("total %d", m.total())
	}
}

func TestHTML(t *testing.T) {
	var b strings.Builder
	if err := sample().writeHTML(&b, draw.Write); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, b.String(), false)
	// Names, fetched by nobody.
	text := strings.NewReplacer(`xmlns="http://www.w3.org/2000/svg"`, "", `xmlns:xlink="http://www.w3.org/1999/xlink"`, "").Replace(b.String())
	for _, outside := range []string{"http:", "https:", "src=", "href=", "@import", "url("} {
		if strings.Contains(text, outside) {
			t.Errorf("the page refers to something outside: %s", outside)
		}
	}
	for _, want := range []string{"<svg", "<td>8.00x ±0%</td>", `class="noisy"`, "Sort, race: a data race", "<td>Sum/&lt;big&gt;</td>"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
}

// -from reads the output of -format=json, with fewer modes if -modes says so.
func TestFrom(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.json")
	var b strings.Builder
	if err := sample().write(&b, "json", nil); err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, file, b.String())
	o, err := parse(option.Default(), []string{"-from=" + file, "-modes=all"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := load(o, "", io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Modes, []string{plainMode, allMode}) || r.Means[allMode].Time != sample().Means[allMode].Time {
		t.Errorf("%+v", r)
	}
	var again Report
	if err := json.Unmarshal([]byte(b.String()), &again); err != nil || len(again.Benchmarks) != 2 {
		t.Errorf("%v, %v", again, err)
	}
	for text, want := range map[string]string{"{}": "no measurements", "x": "no output of -format=json"} {
		testfile.Write(t, file, text)
		if _, err := load(o, "", io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

// A copy has the cache's files and no others, and writing to it does not change the
// original.
func TestCopyCache(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	testfile.Tree(t, from, map[string]string{"ab/x-a": "action", "ab/x-d": "data", "taskinstr/plan/p": "plan", "README": "r"})
	if err := copyCache(from, to); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"ab/x-a": "action", "ab/x-d": "data", "taskinstr/plan/p": ""} {
		if got, _ := os.ReadFile(filepath.Join(to, name)); string(got) != want {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
	testfile.Write(t, filepath.Join(to, "ab/x-a"), "other")
	if got, _ := os.ReadFile(filepath.Join(from, "ab/x-a")); string(got) != "action" {
		t.Errorf("the original now holds %q", got)
	}
}

// The peak of a process does not include the memory of its parent.
func TestPeak(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	large := make([]byte, 256<<20)
	for i := 0; i < len(large); i += 4096 {
		large[i] = 1
	}
	e := &env{opts: &options{timeout: 1 << 40, cpus: 1}}
	// This binary runs no test and no benchmark, and stays small.
	r, out, err := e.execute(context.Background(), &target{dir: t.TempDir()}, exe, "none", "1x")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if r.Memory > 128<<20 {
		t.Errorf("the peak of a small process is %.0f MB, with %d MB in this one", r.Memory/1e6, len(large)>>20)
	}
	if r.Wall <= 0 || r.Memory <= 0 && runtime.GOOS == "linux" {
		t.Errorf("run %+v", r)
	}
	large[0] = 2
}
