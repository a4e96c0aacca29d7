package racelog

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A Report is one report of a detector.
type Report struct {
	Predicted bool
	// Places holds the place of each access: file:line of the innermost frame outside of the
	// runtime, empty if the stack could not be restored.
	Places [2]string
	Text   string
}

// Headlines of reports.
const (
	RaceBanner      = "WARNING: DATA RACE"
	PredictedBanner = "WARNING: PREDICTED DATA RACE"
)

// rule is the line in front of a report and behind it.
const rule = "=================="

// accessLine begins the stack of an access; the creation stacks that follow
// begin with "Goroutine".
var accessLine = regexp.MustCompile(`^\s*(?:Previous )?(?:[Aa]tomic )?(?:[Rr]ead|[Ww]rite) .*(?:at|of) .*by (?:goroutine|main goroutine|task)`)

// frameLine is the second line of a frame, with its file and line.
var frameLine = regexp.MustCompile(`^\s+(\S.*:\d+)(?: \+0x[0-9a-f]+)?\s*$`)

// runtimeFrame matches functions below the user's statement: the runtime's functions and
// atomic operations. Detectors differ in the frames that they show there.
var runtimeFrame = regexp.MustCompile(`^\s+(?:runtime|internal/runtime/\w+|sync/atomic|internal/race)\.`)

// Parse returns the reports in out. Lines of other origin between a banner and the
// closing rule are ignored.
func Parse(out []byte) (reports []Report) {
	for len(out) > 0 {
		i := bytes.Index(out, []byte("WARNING: "))
		if i < 0 {
			break
		}
		out = out[i:]
		predicted := bytes.HasPrefix(out, []byte(PredictedBanner))
		if !predicted && !bytes.HasPrefix(out, []byte(RaceBanner)) {
			out = out[len("WARNING: "):]
			continue
		}
		text := out
		if end := bytes.Index(out, []byte("\n"+rule)); end >= 0 {
			text = out[:end]
		}
		out = out[len(text):]
		r := Report{Predicted: predicted, Text: string(text)}
		r.Places = r.Innermost(func(function, _ string) bool { return !runtimeFrame.MatchString(function) })
		reports = append(reports, r)
	}
	return reports
}

// Innermost returns, for each access, file:line of the first frame of its stack that fits, "" if
// none does. A function has the white space in front of it.
func (r *Report) Innermost(fits func(function, place string) bool) (places [2]string) {
	n := 0
	lines := strings.Split(r.Text, "\n")
	for i, l := range lines {
		if n == len(places) {
			break
		}
		if accessLine.MatchString(l) {
			places[n] = innermost(lines[i+1:], fits)
			n++
		}
	}
	return places
}

// innermost returns file:line of the first frame that fits. A frame has two lines, and a blank
// line ends the stack.
func innermost(stack []string, fits func(function, place string) bool) string {
	for i := 0; i+1 < len(stack) && strings.TrimSpace(stack[i]) != ""; i++ {
		if m := frameLine.FindStringSubmatch(stack[i+1]); m != nil && fits(stack[i], m[1]) {
			return m[1]
		}
	}
	return ""
}

// Take reads and removes the reports in files named log.PID.
func Take(log string) (reports []Report) {
	files, _ := filepath.Glob(log + ".*")
	for _, f := range files {
		if data, err := os.ReadFile(f); err == nil {
			reports = append(reports, Parse(data)...)
		}
		os.Remove(f)
	}
	return reports
}

// Text joins the texts of reports.
func Text(reports []Report) []byte {
	var b bytes.Buffer
	for _, r := range reports {
		b.WriteString(r.Text + "\n")
	}
	return b.Bytes()
}
