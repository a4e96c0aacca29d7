package batch

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

// A Batch is a number of schedules of one test.
type Batch struct {
	Binary   string        `json:"binary"`             // the digest of the test binary, as Digest returns it
	Package  string        `json:"package"`            // its import path
	Test     string        `json:"test"`               // a top-level test; "": all tests in one run
	Run      string        `json:"run,omitempty"`      // the value of -test.run; "": all tests
	Args     []string      `json:"args,omitempty"`     // further arguments of the test binary
	Strategy string        `json:"strategy,omitempty"` // of TASKINSTR=schedule=, without the seed; "": Go's scheduler
	Seed     uint64        `json:"seed,omitempty"`     // of the first schedule; each further one has the next number
	Count    int           `json:"count"`              // the number of schedules
	Counts   string        `json:"counts,omitempty"`   // the record of an earlier schedule, for strategies that need the number of steps
	Schedule string        `json:"schedule,omitempty"` // a record to replay Count times, in place of a strategy
	Options  string        `json:"options,omitempty"`  // further words of TASKINSTR
	Dir      string        `json:"dir,omitempty"`      // with a packed folder, the folder of the package in it, with slashes; "": itself
	Timeout  time.Duration `json:"timeout"`            // of one schedule, in nanoseconds
	Patience time.Duration `json:"patience,omitempty"` // without a schedule, if nothing is known of the test's time: when a run that has not ended is compared with a further one
}

// Slowdown is how many times longer than another run of the same test a run may take.
const Slowdown = 20

// ID returns a name for the batch that no other batch has.
func (b *Batch) ID() string {
	text, err := json.Marshal(b)
	if err != nil {
		panic(err) // no field can fail
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// A Result is what the schedules of a batch have shown.
type Result struct {
	Batch      string         `json:"batch"`                // its ID
	Runs       int            `json:"runs"`                 // the number of schedules that ran, less than Count if the batch was interrupted
	Graphs     map[string]int `json:"graphs,omitempty"`     // the number of schedules with each graph, by its hash
	Goroutines int            `json:"goroutines,omitempty"` // the greatest number of goroutines that a schedule has chosen
	Findings   []*Finding     `json:"findings,omitempty"`
	Notes      map[string]int `json:"notes,omitempty"`   // what limits the control of the schedule, with the number of schedules
	Record     string         `json:"record,omitempty"`  // of the first schedule, if the strategy needs Counts and the batch has none
	Skipped    bool           `json:"skipped,omitempty"` // the rest of the batch, because schedules did not end
	Elapsed    time.Duration  `json:"elapsed"`           // the sum over the schedules, in nanoseconds
}

// Notes of schedules.
const (
	NoteDiverged = "the test did not follow the recorded schedule"

	// With the option hold: a goroutine was held before one of the two accesses, went on alone
	// because nothing else could run, or was there together with another one.
	NoteHeld  = "held"
	NoteAlone = "alone"
	NoteMet   = "met"
)

// A Kind is a kind of finding.
type Kind string

const (
	Race      Kind = "race"
	Predicted Kind = "predicted race"
	Deadlock  Kind = "deadlock"
	Panic     Kind = "panic"
	Failure   Kind = "test failure"
	Timeout   Kind = "time-out"
	Crash     Kind = "crash" // the process ended in another way
	Leak      Kind = "leak"  // a goroutine that a test has left behind
)

// A Finding is what one or more schedules have shown.
type Finding struct {
	Kind        Kind            `json:"kind"`
	Fingerprint string          `json:"fingerprint"` // 16 hexadecimal digits
	Package     string          `json:"package"`
	Test        string          `json:"test,omitempty"`
	Title       string          `json:"title"`            // one line
	Text        string          `json:"text"`             // in full, as the program printed it
	Report      json.RawMessage `json:"report,omitempty"` // of races: the object of docs/use/report-format.md
	Runs        int             `json:"runs"`             // the number of schedules that showed it
	First       uint64          `json:"first,omitempty"`  // the least seed of these schedules, plus one; 0: none of them had a seed
	Strategy    string          `json:"strategy,omitempty"`
	Seed        uint64          `json:"seed,omitempty"`     // of the schedule with the fewest switches
	Schedule    string          `json:"schedule,omitempty"` // the record of that schedule
	Switches    int             `json:"switches,omitempty"` // the number of times that another goroutine ran on
}

// Merge adds the other result of the same test to r.
func (r *Result) Merge(other *Result) {
	r.Runs += other.Runs
	r.Goroutines = max(r.Goroutines, other.Goroutines)
	r.Elapsed += other.Elapsed
	r.Skipped = r.Skipped || other.Skipped
	r.Record = cmp.Or(r.Record, other.Record)
	for hash, n := range other.Graphs {
		if r.Graphs == nil {
			r.Graphs = map[string]int{}
		}
		r.Graphs[hash] += n
	}
	for note, n := range other.Notes {
		if r.Notes == nil {
			r.Notes = map[string]int{}
		}
		r.Notes[note] += n
	}
	for _, f := range other.Findings {
		r.Add(f)
	}
}

// Add merges a finding into the result. It returns the merged finding and whether it is new.
func (r *Result) Add(f *Finding) (merged *Finding, isNew bool) {
	i := slices.IndexFunc(r.Findings, func(x *Finding) bool { return x.Fingerprint == f.Fingerprint })
	if i < 0 {
		c := *f
		r.Findings = append(r.Findings, &c)
		return &c, true
	}
	old := r.Findings[i]
	runs, first := old.Runs+f.Runs, Earliest(old.Kind, old.First, f.Kind, f.First)
	better := f.Schedule != "" && (old.Schedule == "" || f.Switches < old.Switches)
	switch {
	case old.Kind == f.Kind && better, old.Kind == Predicted && f.Kind == Race:
		*old = *f
	}
	old.Runs, old.First = runs, first
	return old, false
}

// Earliest returns the lesser of two numbers of schedules that have shown a finding, of which 0 is none.
// If one of them has predicted a race that happens in the other one, the other one counts.
func Earliest(kind Kind, n uint64, other Kind, m uint64) uint64 {
	switch {
	case kind == Predicted && other != Predicted || n == 0 && kind == other:
		return m
	case kind != other || m == 0:
		return n
	}
	return min(n, m)
}

// Digest returns the digest of a file.
func Digest(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}
