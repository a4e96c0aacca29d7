package view

import (
	"cmp"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strings"

	"taskinstr/cmd/taskinstr/internal/explore/schedulefile"
	"taskinstr/detector/schedule/dfs"
)

// Lanes is a schedule: a lane for each goroutine, and on it the runs of choices that it got.
// Lengths are in pixels.
type Lanes struct {
	Input         string
	Head          string // the strategy and so on
	Width, Height int
	Names         []string
	Runs          []Run
	Left          int // runs that are not shown
}

// A Run is a goroutine's turn, of one choice or several in succession.
type Run struct {
	Lane, First, Times int // choices count from 1
	X, Y, W, H         int
	LinkX, LinkY       int // where the turn before ends; 0, 0: the first
	Text               string
}

const (
	laneHeight = 26
	laneBar    = 16
	maxRuns    = 3000
	maxLanes   = 400
)

// record reads a recorded schedule, or that of a finding.
func (l *loader) record(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	n, err := lanes(name, string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	f, err := schedulefile.Read(name)
	if err != nil { // the record of a program
		l.page.Lanes = append(l.page.Lanes, n)
		return nil
	}
	x := &Finding{Kind: f.Kind, Fingerprint: f.Fingerprint, Title: strings.ReplaceAll(f.Title, l.root.Dir+"/", ""), Again: "taskinstr replay " + name, Lanes: n, Test: f.Package}
	if f.Test != "" {
		x.Test += "." + f.Test
	}
	full := strings.TrimSuffix(name, filepath.Ext(name)) + ".txt"
	if text, err := os.ReadFile(full); err == nil {
		x.Text = string(text)
		l.texts[full] = true
	}
	l.findings = append(l.findings, x)
	return nil
}

func lanes(name, text string) (*Lanes, error) {
	r, err := dfs.ParseRecord(text)
	if err != nil {
		return nil, err
	}
	n := &Lanes{Input: name}
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "strategy", "seed", "points":
			if n.Head != "" {
				n.Head += ", "
			}
			n.Head += word + " " + rest
		}
	}
	var b laneBuilder
	for i, c := range r.Choices {
		task, text := c.Task, ""
		switch task {
		case "exit": // main has returned
			continue
		case "":
			task = "(all wait)"
		}
		var waiting []string
		for _, x := range c.Candidates {
			if x.Task == c.Task {
				text = "lock " + x.Section.Lock
				if x.Section.Shared {
					text += ", shared"
				}
			} else if !x.Blocked {
				waiting = append(waiting, x.Task)
			}
		}
		if len(waiting) > 0 {
			text += ", before " + strings.Join(waiting, ", ")
		}
		b.add(task, i+1, strings.TrimPrefix(text, ", "))
	}
	b.finish(n)
	return n, nil
}

// sections makes the lanes and the list of an order of critical sections.
func (l *loader) sections(order []section) (*Lanes, []Step) {
	n := &Lanes{Head: "critical sections in the order that shows the race"}
	var b laneBuilder
	var steps []Step
	for i, s := range order {
		who := s.Task
		if s.Task != "main" {
			who = fmt.Sprintf("%s (goroutine %d)", s.Task, s.Goroutine)
		}
		lock := cmp.Or(s.Lock, "a lock")
		if s.Shared {
			lock += ", shared"
		}
		b.add(who, i+1, lock+" at "+l.shown(s.Position))
		steps = append(steps, Step{who, lock, l.shown(s.Position), strings.Join(s.Instead, ", ")})
	}
	b.finish(n)
	return n, steps
}

// A laneBuilder joins choices of one goroutine in succession.
type laneBuilder struct {
	lanes map[string]int
	names []string
	runs  []Run
	left  int
}

// add adds the i-th choice. A choice with a text is a run of its own.
func (b *laneBuilder) add(name string, i int, text string) {
	if b.lanes == nil {
		b.lanes = map[string]int{}
	}
	lane, ok := b.lanes[name]
	if !ok {
		if len(b.names) == maxLanes {
			b.left++
			return
		}
		lane = len(b.names)
		b.lanes[name] = lane
		b.names = append(b.names, name)
	}
	if n := len(b.runs); n > 0 && b.left == 0 && b.runs[n-1].Lane == lane && b.runs[n-1].Text == "" && text == "" {
		b.runs[n-1].Times++
		return
	}
	if len(b.runs) == maxRuns {
		b.left++
		return
	}
	b.runs = append(b.runs, Run{Lane: lane, First: i, Times: 1, Text: text})
}

// finish places the runs. The length of a bar grows with the logarithm of the number of
// choices, since a loop may have thousands of them and the order is what matters.
func (b *laneBuilder) finish(n *Lanes) {
	n.Names, n.Runs, n.Left = b.names, b.runs, b.left
	x := 6
	for i := range n.Runs {
		r := &n.Runs[i]
		r.X, r.W = x, 8+6*bits.Len(uint(r.Times))
		r.Y, r.H = r.Lane*laneHeight+(laneHeight-laneBar)/2, laneBar
		if i > 0 {
			r.LinkX, r.LinkY = x, n.Runs[i-1].Y+laneBar/2
		}
		x += r.W
		text := fmt.Sprintf("choice %d: %s", r.First, n.Names[r.Lane])
		if r.Times > 1 {
			text = fmt.Sprintf("choices %d to %d: %s", r.First, r.First+r.Times-1, n.Names[r.Lane])
		}
		if r.Text != "" {
			text += ", " + r.Text
		}
		r.Text = text
	}
	n.Width, n.Height = x+6, len(n.Names)*laneHeight
}
