package selftest

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A raceReport is one report of a race detector, in the layout of go's own detector, which
// taskinstr uses too.
type raceReport struct {
	predicted bool
	// access holds the place of each access: file:line of the innermost frame outside of the
	// runtime, empty if the stack could not be restored.
	access [2]string
	text   string
}

const (
	raceBanner      = "WARNING: DATA RACE"
	predictedBanner = "WARNING: PREDICTED DATA RACE"
	reportRule      = "=================="
)

// accessLine begins the stack of an access; the creation stacks that follow
// begin with "Goroutine".
var accessLine = regexp.MustCompile(`^\s*(?:Previous )?(?:[Aa]tomic )?(?:[Rr]ead|[Ww]rite) .*(?:at|of) .*by (?:goroutine|main goroutine|task)`)

// frameLine is the second line of a frame, with its file and line.
var frameLine = regexp.MustCompile(`^\s+(\S.*:\d+)(?: \+0x[0-9a-f]+)?\s*$`)

// parseReports returns the reports in out. Lines of other origin between a banner and the
// closing rule are ignored.
func parseReports(out []byte) []raceReport {
	var reports []raceReport
	for len(out) > 0 {
		i := bytes.Index(out, []byte("WARNING: "))
		if i < 0 {
			break
		}
		out = out[i:]
		predicted := bytes.HasPrefix(out, []byte(predictedBanner))
		if !predicted && !bytes.HasPrefix(out, []byte(raceBanner)) {
			out = out[len("WARNING: "):]
			continue
		}
		text := out
		if end := bytes.Index(out, []byte("\n"+reportRule)); end >= 0 {
			text = out[:end]
		}
		out = out[len(text):]
		reports = append(reports, raceReport{predicted: predicted, access: accesses(string(text)), text: string(text)})
	}
	return reports
}

// readReports reads and removes the reports in files named log.PID.
func readReports(log string) (reports []raceReport) {
	files, _ := filepath.Glob(log + ".*")
	for _, f := range files {
		if data, err := os.ReadFile(f); err == nil {
			reports = append(reports, parseReports(data)...)
		}
		os.Remove(f)
	}
	return reports
}

// runtimeFrame matches functions below the user's statement: the runtime's functions and
// atomic operations. Detectors differ in the frames that they show there.
var runtimeFrame = regexp.MustCompile(`^\s+(?:runtime|internal/runtime/\w+|sync/atomic|internal/race)\.`)

// accesses returns the places of the two accesses.
func accesses(report string) (places [2]string) {
	n := 0
	lines := strings.Split(report, "\n")
	for i, l := range lines {
		if n == len(places) {
			break
		}
		if accessLine.MatchString(l) {
			places[n] = innermost(lines[i+1:])
			n++
		}
	}
	return places
}

// innermost returns file:line of the first frame outside of the runtime. A frame has two
// lines, and a blank line ends the stack.
func innermost(stack []string) string {
	for i := 0; i+1 < len(stack) && strings.TrimSpace(stack[i]) != ""; i++ {
		if m := frameLine.FindStringSubmatch(stack[i+1]); m != nil && !runtimeFrame.MatchString(stack[i]) {
			return m[1]
		}
	}
	return ""
}

// A pair holds the places of the two accesses of a race, sorted.
type pair [2]string

func (r raceReport) pair() pair {
	if r.access[1] < r.access[0] {
		return pair{r.access[1], r.access[0]}
	}
	return r.access
}

func (p pair) String() string { return p[0] + " and " + p[1] }

// agrees reports whether q may be the same race as p. Go's detector forgets stacks. If q
// lacks a place, only the other place is compared.
func (p pair) agrees(q pair) bool {
	switch {
	case q[0] == "" && q[1] == "":
		return false
	case q[0] == "":
		return p[0] == q[1] || p[1] == q[1]
	}
	return p == q
}

// pairs returns the distinct pairs among reports of one tier, in order of
// appearance.
func pairs(reports []raceReport, predicted bool) []pair {
	var out []pair
	for _, r := range reports {
		if p := r.pair(); r.predicted == predicted && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// confirm splits races by whether they are in stock: notes describes those that are, wrong
// holds those that are not.
func confirm(races, stock []pair) (wrong, notes []string) {
	for _, p := range races {
		if slices.ContainsFunc(stock, p.agrees) {
			notes = append(notes, "race, confirmed by -race: "+p.String())
		} else {
			wrong = append(wrong, p.String())
		}
	}
	return wrong, notes
}
