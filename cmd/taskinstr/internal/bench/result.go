package bench

import "strings"

// A Report holds the results of one measurement.
type Report struct {
	Version    string             `json:"taskinstr"`
	Go         string             `json:"go"`
	GOOS       string             `json:"goos"`
	GOARCH     string             `json:"goarch"`
	CPU        string             `json:"cpu,omitempty"`
	Procs      int                `json:"gomaxprocs"`
	Count      int                `json:"count"`
	Modes      []string           `json:"modes"`
	Benchmarks []*Benchmark       `json:"benchmarks"`
	Packages   []*Package         `json:"packages"`
	Means      map[string]*Ratios `json:"geometric_means"` // by mode, to plain
	Noise      Noise              `json:"noise"`
	// Passes says what each pass changes, where the modes tell.
	Passes      []*Effect `json:"passes,omitempty"`
	Notes       []string  `json:"notes,omitempty"`
	Interrupted bool      `json:"interrupted,omitempty"`
}

// A Benchmark is one benchmark in all modes.
type Benchmark struct {
	Package    string             `json:"package"`
	Name       string             `json:"name"` // without Benchmark in front and GOMAXPROCS behind
	Iterations int                `json:"iterations"`
	Counted    int                `json:"iterations_counted,omitempty"` // of the runs that count checks
	Modes      map[string]*Series `json:"modes"`
	Spread     float64            `json:"spread"` // of plain: (largest - least) / median time
}

// A Series is one benchmark in one mode.
type Series struct {
	Runs   []Run   `json:"runs"`
	Median Run     `json:"median"` // of each figure
	Ratios *Ratios `json:"ratios,omitempty"`
	// Checks is the number of checks that a process of Benchmark.Counted iterations
	// executes, nil if they were not counted.
	Checks *float64 `json:"checks,omitempty"`
	// Alone is the number of these checks that a task makes while no other task exists. Such
	// a check ends after one test.
	Alone  *float64 `json:"checks_alone,omitempty"`
	Failed string   `json:"failed,omitempty"` // why there are fewer runs
}

// A Run is one process.
type Run struct {
	Time   float64 `json:"ns_per_op"` // as the benchmark measures it
	Wall   float64 `json:"wall_s"`    // of the process
	CPU    float64 `json:"cpu_s"`     // of the process
	Memory float64 `json:"peak_bytes"`
	// Counters holds the counters that the program prints with TASKINSTR=stats=1.
	Counters map[string]float64 `json:"counters,omitempty"`
}

// Ratios compare a mode with plain; 0 is unknown.
type Ratios struct {
	Time   float64 `json:"time"`
	CPU    float64 `json:"cpu"`
	Memory float64 `json:"memory"`
	// Low and High bound Time with a confidence of at least 95 %; 0 if there are too few runs.
	Low  float64 `json:"time_low,omitempty"`
	High float64 `json:"time_high,omitempty"`
}

// A Package holds the figures of a package's test binary.
type Package struct {
	Path  string            `json:"path"`
	Modes map[string]*Build `json:"modes"`
}

// A Build is one test binary.
type Build struct {
	Compile float64 `json:"compile_s,omitempty"` // with -builds
	Size    int64   `json:"bytes"`
	Binary  string  `json:"binary,omitempty"` // a digest
	Static  *Static `json:"static,omitempty"` // modes with checks
	Failed  string  `json:"failed,omitempty"`
}

// Static counts the accesses of the module's packages and their imports, without the
// standard library.
type Static struct {
	Sites   int `json:"sites"`
	Kept    int `json:"kept"`
	Removed int `json:"removed"`
	Guarded int `json:"guarded"`
}

// Noise is the difference between the plain runs.
type Noise struct {
	Largest float64 `json:"largest_spread"`
	Noisy   bool    `json:"noisy"`
	Text    string  `json:"text"`
}

// The counters of executed checks, which a program prints if it was built to count them.
const (
	checksCounter = "checks made"
	aloneCounter  = "of these by a lone task"
)

// labels returns the names of the benchmarks for display. If there are several packages, a
// name includes the part of the package's path that distinguishes it.
func (r *Report) labels() map[*Benchmark]string {
	dirs := map[string][]string{}
	for _, b := range r.Benchmarks {
		dirs[b.Package] = strings.Split(b.Package, "/")
	}
	shared := -1 // number of leading path elements that all packages share, the last one excepted
	for _, d := range dirs {
		for _, other := range dirs {
			n := 0
			for n < len(d)-1 && n < len(other)-1 && d[n] == other[n] {
				n++
			}
			if shared < 0 || n < shared {
				shared = n
			}
		}
	}
	labels := map[*Benchmark]string{}
	for _, b := range r.Benchmarks {
		labels[b] = b.Name
		if len(dirs) > 1 {
			labels[b] = strings.Join(dirs[b.Package][shared:], "/") + "." + b.Name
		}
	}
	return labels
}

// checks returns the number of checks that a run executes, if they were counted.
func (s *Series) checks() (n float64, ok bool) {
	if s == nil || s.Checks == nil {
		return 0, false
	}
	return *s.Checks, true
}
