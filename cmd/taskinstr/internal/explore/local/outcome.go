package local

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/taskinstr/internal/excerpt"
	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/reports"
	"taskinstr/detector/trace/report"
)

// An outcome is what one schedule has left behind.
type outcome struct {
	strategy string
	seed     uint64
	dir      string // the folder of the package, where its source may be
	state    *os.ProcessState
	out      string
	timeout  bool
	elapsed  time.Duration
	record   string // "": the schedule was not recorded
	graph    string
	reports  []*reports.Merged
	sources  map[string]*excerpt.File // by the names that messages give them
}

// graphLine begins the line at the end of a record that holds the hash of the happens-before
// graph.
const graphLine = "# graph "

func (o *outcome) readRecord(name string, b *batch.Batch) error {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if b.Strategy != "" && o.state.Success() {
			return errors.New("the test has left no record of its schedule: was the binary built with taskinstr?")
		}
		return nil
	}
	if err != nil {
		return err
	}
	o.record = string(text)
	if i := strings.LastIndex(o.record, "\n"+graphLine); i >= 0 {
		o.graph, _, _ = strings.Cut(o.record[i+1+len(graphLine):], "\n")
	}
	return nil
}

func (o *outcome) readReports(folder string) error {
	s := reports.New()
	if err := s.Read(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	o.reports = s.Shown()
	return nil
}

func (o *outcome) result(b *batch.Batch) *batch.Result {
	r := &batch.Result{Runs: 1, Goroutines: len(chosen(o.record)), Elapsed: o.elapsed}
	if o.graph != "" {
		r.Graphs = map[string]int{o.graph: 1}
	}
	if o.state.ExitCode() == exitcode.Diverged && strings.Contains(o.out, "taskinstr: schedule=replay") {
		r.Notes = map[string]int{batch.NoteDiverged: 1}
		return r
	}
	for _, note := range []string{batch.NoteHeld, batch.NoteAlone, batch.NoteMet} {
		if strings.Contains(o.record, "\n# "+note+" ") {
			r.Merge(&batch.Result{Notes: map[string]int{note: 1}})
		}
	}
	for _, f := range o.findings(b) {
		f.Package, f.Test, f.Runs = b.Package, b.Test, 1
		f.Strategy, f.Seed = o.strategy, o.seed
		if b.Strategy != "" {
			f.First = o.seed + 1
		}
		f.Schedule, f.Switches = withoutUses(o.record), Switches(o.record)
		r.Add(f)
	}
	return r
}

// findings returns what the schedule has shown.
func (o *outcome) findings(b *batch.Batch) []*batch.Finding {
	var list []*batch.Finding
	for _, m := range o.reports {
		kind := batch.Race
		if m.Type != report.TypeRace {
			kind = batch.Predicted
		}
		object, err := json.Marshal(&m.Report)
		if err != nil {
			continue // a report holds nothing that JSON cannot express
		}
		var text bytes.Buffer
		m.Text(&text)
		list = append(list, &batch.Finding{Kind: kind, Fingerprint: m.Fingerprint, Title: strings.TrimPrefix(m.What(), m.Type+": "), Text: text.String(), Report: object})
	}
	if o.timeout {
		places, _ := blocked(stacks(o.out))
		return append(list, &batch.Finding{Kind: batch.Timeout, Fingerprint: digest(string(batch.Timeout), b.Package, b.Test),
			Title: fmt.Sprintf("the test has not ended within %v", b.Timeout), Text: strings.Join(append(places, "", o.out), "\n")})
	}
	if f := o.fatal(b); f != nil {
		return append(list, f)
	}
	failed := o.failures(b)
	list = append(list, failed...)
	if len(failed) == 0 { // a test that fails may leave early
		list = append(list, o.leaks(b)...)
	}
	code := o.state.ExitCode()
	switch {
	case len(list) > 0 || code == 0 || code == 1 && strings.Contains(o.out, "--- FAIL: "):
	case len(o.reports) == 0:
		list = append(list, &batch.Finding{Kind: batch.Crash, Fingerprint: digest(string(batch.Crash), b.Package, b.Test, o.state.String()),
			Title: "the test has ended with " + o.state.String(), Text: o.out})
	}
	return list
}

const (
	deadlocked = "fatal error: all goroutines are asleep - deadlock!"
	locksHeld  = "fatal error: "
)

var numbers = regexp.MustCompile(`0x[0-9a-f]+|[0-9]+`)

// fatal returns the deadlock or the panic that has ended the process, nil without one.
func (o *outcome) fatal(b *batch.Batch) *batch.Finding {
	if i := lineIndex(o.out, deadlocked); i >= 0 {
		text := o.out[i:]
		places, names := blocked(stacks(text))
		title := cmp.Or(strings.Join(places, "; "), "all goroutines are blocked")
		return &batch.Finding{Kind: batch.Deadlock, Fingerprint: digest(append([]string{string(batch.Deadlock), b.Package}, names...)...), Title: title, Text: text}
	}
	i := lineIndex(o.out, "panic: ")
	if j := lineIndex(o.out, locksHeld); i < 0 || j >= 0 && j < i {
		i = j
	}
	if i < 0 {
		return nil
	}
	text := o.out[i:]
	message, _, _ := strings.Cut(text, "\n")
	message = strings.TrimSuffix(message, " [recovered, repanicked]")
	where := frame{}
	for _, g := range stacks(text) {
		if f, ok := g.where(); ok && (g.state == "running" || where.place == "") {
			where = f
			break
		}
	}
	title := message
	if where.place != "" {
		title += " in " + short(where.function) + " at " + where.place
	}
	return &batch.Finding{Kind: batch.Panic, Fingerprint: digest(string(batch.Panic), b.Package, numbers.ReplaceAllString(message, "N"), where.function, base(where.place)), Title: title, Text: text}
}

// lineIndex returns the index of the first line of text that begins with start, -1 without one.
func lineIndex(text, start string) int {
	if strings.HasPrefix(text, start) {
		return 0
	}
	if i := strings.Index(text, "\n"+start); i >= 0 {
		return i + 1
	}
	return -1
}

// raceTold is what package testing says of a test with a race, which is a finding by itself.
const raceTold = "race detected during execution of test"

var message = regexp.MustCompile(`^\s+(\S+\.go:\d+): (.*)`)

// failures returns the tests that have failed for another reason than a race.
func (o *outcome) failures(b *batch.Batch) (list []*batch.Finding) {
	var f *batch.Finding
	name, last, told, logs := "", "", false, true // logs: all messages are those of Log
	end := func() {
		if f == nil {
			return
		}
		// A test that has failed says why, except by Fail. If it has told of a race and says
		// nothing else but what it logs, the race has failed it; if a subtest has failed, the
		// subtest is reported.
		if told && logs {
			last = ""
		}
		inner := len(list) > 0 && strings.HasPrefix(list[len(list)-1].Text, "--- FAIL: "+name+"/")
		if last != "" || !told && !inner && !strings.Contains(f.Text, "    --- FAIL: ") {
			f.Fingerprint = digest(string(batch.Failure), b.Package, name, last)
			list = append(list, f)
		}
		f = nil
	}
	for line := range strings.Lines(o.out) {
		trimmed := strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(trimmed, "--- FAIL: "); ok {
			if f != nil {
				f.Text += line
			}
			end()
			name, _, _ = strings.Cut(rest, " ")
			last, told, logs = "", false, true
			f = &batch.Finding{Kind: batch.Failure, Title: name + " has failed", Text: trimmed + "\n"}
			continue
		}
		if f == nil {
			continue
		}
		if !strings.HasPrefix(line, " ") || strings.HasPrefix(trimmed, "--- ") {
			end()
			continue
		}
		f.Text += line
		if m := message.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			if m[2] == raceTold {
				told = true
			} else {
				last = m[1]
				logs = logs && o.logged(m[1])
				f.Title = name + ": " + m[1] + ": " + m[2]
			}
		}
	}
	end()
	return list
}

// logCall matches a line of source whose message fails no test.
var logCall = regexp.MustCompile(`\.Logf?\(`)

// logged reports whether the message of a place, as package testing prints it, comes from Log or
// Logf. It is false if the source is not here.
func (o *outcome) logged(place string) bool {
	file, number, _ := strings.Cut(place, ":")
	n, err := strconv.Atoi(number)
	if err != nil || o.dir == "" {
		return false
	}
	source, ok := o.sources[file]
	if !ok {
		source = excerpt.Read(filepath.Join(o.dir, filepath.Base(file)))
		if o.sources == nil {
			o.sources = map[string]*excerpt.File{}
		}
		o.sources[file] = source
	}
	line, _ := source.Line(n)
	return logCall.MatchString(line)
}

// digest returns the fingerprint of a finding.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// choices calls f for each line of a record that has choices, with the name of the goroutine and the rest of the line.
func choices(record string, f func(name, rest string)) {
	for line := range strings.Lines(record) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch root, _, _ := strings.Cut(name, "."); {
		case root == "main", root == "outside", strings.HasPrefix(root, "@"):
			f(name, rest)
		}
	}
}

// withoutUses returns a record without the uses of objects, which strategies read and replays do not.
func withoutUses(record string) string {
	const use = "\n# use "
	i := strings.Index(record, use)
	if i < 0 {
		return record
	}
	last := i + strings.LastIndex(record[i:], use)
	_, after, _ := strings.Cut(record[last+1:], "\n")
	return record[:i+1] + after
}

// Switches returns the number of times that a recorded schedule switches from one goroutine to
// another one.
func Switches(record string) int {
	n, last := -1, ""
	choices(record, func(name, _ string) {
		if name != last {
			n, last = n+1, name
		}
	})
	return max(n, 0)
}

// Steps returns the number of choices of a recorded schedule, 0 for an empty record.
func Steps(record string) (n int) {
	choices(record, func(_, rest string) {
		k, err := strconv.Atoi(rest)
		if err != nil { // without a number, or with the operations of others behind it
			k = 1
		}
		n += k
	})
	return n
}

// chosen returns the goroutines that a recorded schedule has chosen.
func chosen(record string) map[string]bool {
	set := map[string]bool{}
	choices(record, func(name, _ string) { set[name] = true })
	return set
}
