// Package explored reads the events that taskinstr test -explore -json prints, for measurements.
package explored

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// An Event is a line of the output. Its fields depend on what Event names.
type Event struct {
	Event       string // start, found, test, finding, end
	Time        time.Time
	Package     string
	Test        string
	Kind        string
	Fingerprint string
	Title       string
	Text        string
	Ordinary    bool   // a run without a schedule shows the finding, too
	Reproduced  string // "5 of 5"
	Runs        int    // schedules that showed the finding, or ran
	First       int    // the number of the first schedule that showed the finding, from 1 on
	Controlled  *bool  // whether a test depends on its schedule alone
	Tests       int
	Seconds     float64
	Interrupted bool // the exploration ended early
}

// Only returns the lines of a command's output that are events. The others are of the go command, or errors.
func Only(output []byte) []byte {
	var events []byte
	for line := range bytes.Lines(output) {
		if bytes.HasPrefix(line, []byte("{")) {
			events = append(events, line...)
		}
	}
	return events
}

// Read calls f with each event. It returns the error of f, or an error if the events do not come to their end.
func Read(r io.Reader, f func(Event) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	ended := false
	for lines.Scan() {
		var e Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return fmt.Errorf("%.80q is no event: %w", lines.Bytes(), err)
		}
		if err := f(e); err != nil {
			return err
		}
		ended = ended || e.Event == "end"
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if !ended {
		return errors.New("the exploration has not come to its end")
	}
	return nil
}
