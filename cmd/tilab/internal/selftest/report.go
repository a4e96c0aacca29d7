package selftest

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"taskinstr/benchmarks/datafile"
	"taskinstr/cmd/internal/terminal"
)

// A report collects the results of one run and prints them, as text or JSON.
type report struct {
	Suite     string   `json:"suite"`
	GoVersion string   `json:"go"`
	Platform  string   `json:"platform"`
	Tool      string   `json:"tool"`
	Stock     string   `json:"stock"` // "-race", or why it is not compared with
	Results   []Result `json:"results"`
	Seconds   float64  `json:"seconds"`

	Passed   int `json:"passed"`
	Failed   int `json:"failed"`
	Skipped  int `json:"skipped"` // known exceptions included
	Excepted int `json:"known_exceptions"`

	h        *harness
	table    bool
	out      io.Writer
	progress io.Writer // nil unless standard error is a terminal
	total    int
	start    time.Time
	mu       sync.Mutex // guards Results and the counts while the suite runs
}

func newReport(s suite, h *harness, total int, out io.Writer) *report {
	r := &report{
		Suite:     s.name,
		GoVersion: h.tc.GOVERSION,
		Platform:  h.tc.GOOS + "/" + h.tc.GOARCH,
		Tool:      h.mode.String(),
		Stock:     "-race",
		h:         h, table: s.table, out: out, total: total, start: time.Now(),
	}
	if !h.stock {
		r.Stock = "none: " + h.noStock
	}
	if terminal.Is(h.stderr) && !(h.verbose && !h.json) {
		r.progress = h.stderr
	}
	if h.verbose && !h.json {
		fmt.Fprintf(out, "suite %s, tool %s, %s %s, compared with: %s\n", r.Suite, r.Tool, r.GoVersion, r.Platform, r.Stock)
	}
	return r
}

// add records one result. Several goroutines may call it at once.
func (r *report) add(res Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Results = append(r.Results, res)
	switch res.Status {
	case passed:
		r.Passed++
	case failed:
		r.Failed++
	case excepted:
		r.Excepted++
		r.Skipped++
	case skipped:
		r.Skipped++
	}
	if r.h.verbose && !r.h.json {
		r.line(res)
	}
	if r.progress != nil {
		fmt.Fprintf(r.progress, "\r\x1b[K%d/%d, %d failed: %s", len(r.Results), r.total, r.Failed, res.Name)
	}
}

// line prints one case with its figures and notes.
func (r *report) line(res Result) {
	fmt.Fprintf(r.out, "%-15s %s", res.Status, res.Name)
	r.rest(res, res.Reason)
	for _, n := range res.Notes {
		fmt.Fprintf(r.out, "    %s\n", indent(n))
	}
	if res.Status == failed && res.Output != "" {
		fmt.Fprintf(r.out, "    | %s\n", strings.ReplaceAll(strings.TrimRight(res.Output, "\n"), "\n", "\n    | "))
	}
}

// rest ends a line that names a case, with its figures and the reason.
func (r *report) rest(res Result, reason string) {
	for _, c := range res.Columns {
		fmt.Fprintf(r.out, "  %s=%s", c.Name, c.Value)
	}
	if reason != "" {
		fmt.Fprintf(r.out, ": %s", reason)
	}
	fmt.Fprintln(r.out)
}

func indent(s string) string { return strings.ReplaceAll(s, "\n", "\n      ") }

// finish prints the parts of the report that need all results.
func (r *report) finish() error {
	r.Seconds = time.Since(r.start).Seconds()
	sort.SliceStable(r.Results, func(i, j int) bool { return r.Results[i].Name < r.Results[j].Name })
	if r.progress != nil {
		fmt.Fprint(r.progress, "\r\x1b[K")
	}
	if r.h.csv != "" {
		if err := r.writeCSV(); err != nil {
			return err
		}
	}
	if r.h.json {
		enc := json.NewEncoder(r.out)
		enc.SetIndent("", "\t")
		enc.SetEscapeHTML(false)
		return enc.Encode(r)
	}
	if r.table {
		r.rows()
	}
	r.section("known exceptions", excepted)
	if r.h.verbose {
		r.section("skipped", skipped)
	}
	r.notes()
	r.section("failed", failed)
	fmt.Fprintf(r.out, "%d passed, %d failed, %d skipped\n", r.Passed, r.Failed, r.Skipped)
	return nil
}

// rows prints the figures of all cases as a table, with the verdict at the end.
func (r *report) rows() {
	var head []Column
	for _, res := range r.Results {
		if len(res.Columns) > 0 {
			head = res.Columns
			break
		}
	}
	w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "case")
	for _, c := range head {
		fmt.Fprintf(w, "\t%s", c.Name)
	}
	fmt.Fprintln(w, "\tverdict")
	for _, res := range r.Results {
		fmt.Fprint(w, res.Name)
		for i := range head {
			value := "" // of a case that did not run
			if i < len(res.Columns) {
				value = res.Columns[i].Value
			}
			fmt.Fprintf(w, "\t%s", value)
		}
		fmt.Fprintf(w, "\t%s\n", res.Reason)
	}
	w.Flush()
	if !r.h.stock {
		fmt.Fprintf(r.out, "not compared with -race: %s\n", r.h.noStock)
	}
}

// writeCSV writes the figures of all cases as a data file of benchmarks/results.
func (r *report) writeCSV() error {
	for _, res := range r.Results {
		if res.About == nil {
			return fmt.Errorf("-csv: %s has no figures (%s); %s is not written", res.Name, res.Reason, r.h.csv)
		}
	}
	conditions := fmt.Sprintf("%d runs with -race", r.h.runs)
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		conditions += ", load " + strings.Fields(string(text))[0] + " at the end"
	}
	var rows [][]string
	for i, res := range r.Results {
		columns := append(append(res.About[:len(res.About):len(res.About)], res.Columns...), Column{"verdict", res.Reason})
		var names, values []string
		for _, c := range columns {
			names, values = append(names, c.Name), append(values, c.Value)
		}
		if i == 0 {
			rows = append(rows, names)
		}
		rows = append(rows, values)
	}
	return datafile.Write(r.h.csv, datafile.Head(conditions, "taskinstr selftest", r.h.args, "csv", "toolexec"), rows)
}

// section prints the names of the cases that ended in state s.
func (r *report) section(title string, s status) {
	head := false
	for _, res := range r.Results {
		if res.Status != s {
			continue
		}
		if !head {
			fmt.Fprintf(r.out, "%s:\n", title)
			head = true
		}
		fmt.Fprintf(r.out, "  %s", res.Name)
		r.rest(res, indent(res.Reason))
	}
}

// notes prints the notes of all cases, for information; -v has shown them
// beside their cases.
func (r *report) notes() {
	if r.h.verbose {
		return
	}
	head := false
	for _, res := range r.Results {
		for _, n := range res.Notes {
			if !head {
				fmt.Fprintln(r.out, "notes:")
				head = true
			}
			fmt.Fprintf(r.out, "  %s: %s\n", res.Name, indent(n))
		}
	}
}

func splitLines(b []byte) []string {
	s := strings.TrimRight(string(b), "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}
