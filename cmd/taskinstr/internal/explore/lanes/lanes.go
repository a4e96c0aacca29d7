package lanes

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"taskinstr/detector/event"
	"taskinstr/detector/trace"
)

// A step is a line of the picture.
type step struct {
	task uint32
	text string
}

const (
	// maxSteps bounds the lines. The last ones lead to the finding.
	maxSteps = 40

	// maxWidth bounds a column, in bytes.
	maxWidth = 34
)

// Draw draws the steps of a trace in files below the folder dir.
func Draw(w io.Writer, source trace.Source, dir string) error {
	steps, names, err := read(source, dir)
	if err != nil {
		return err
	}
	if len(steps) == 0 {
		return errors.New("no goroutine has come to code of the test's folder")
	}
	left := max(len(steps)-maxSteps, 0)
	steps = steps[left:]
	var tasks []uint32 // in the order of their first steps
	width := map[uint32]int{}
	for _, s := range steps {
		if width[s.task] == 0 {
			tasks = append(tasks, s.task)
			width[s.task] = len(names[s.task])
		}
		width[s.task] = max(width[s.task], len(s.text))
	}
	line := func(text func(task uint32) string) {
		var b strings.Builder
		for _, t := range tasks {
			fmt.Fprintf(&b, "%-*s  ", width[t], text(t))
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
	line(func(t uint32) string { return names[t] })
	if left > 0 {
		fmt.Fprintf(w, "(%d earlier steps)\n", left)
	}
	for _, s := range steps {
		line(func(t uint32) string {
			if t == s.task {
				return s.text
			}
			return "|"
		})
	}
	return nil
}

// read returns the steps of a trace and the names of its tasks.
func read(source trace.Source, dir string) ([]step, map[uint32]string, error) {
	var steps []step
	names := map[uint32]string{}
	_, err := source.Each(func(r *trace.Reader, e *event.Event) {
		what := verb(e)
		if what == "" {
			return
		}
		file, ok := strings.CutPrefix(r.Symbols.Position(e.Site, e.Stack), dir+string(filepath.Separator))
		if !ok {
			return
		}
		if words := strings.Split(file, ":"); len(words) == 3 {
			file = words[0] + ":" + words[1] // without the column
		}
		if expr := r.Symbols.Place(e.Site).Expr(); expr != "" {
			what += " " + expr
		}
		s := step{e.Task, shorten(what, maxWidth-len(file)-1) + " " + file}
		if names[e.Task] == "" {
			names[e.Task] = fmt.Sprintf("goroutine %d", r.Symbols.Goroutine(e.Task))
		}
		if len(steps) == 0 || steps[len(steps)-1] != s {
			steps = append(steps, s)
		}
	})
	return steps, names, err
}

// verb says what an event does, "" for events that are not shown.
func verb(e *event.Event) string {
	switch e.Op {
	case event.Fork:
		return "go"
	case event.Lock:
		return "lock"
	case event.Unlock:
		return "unlock"
	case event.Meet:
		return "meet"
	case event.Acquire, event.Release, event.ReleaseMerge, event.ReleaseAcquire:
		if op := chanOps[e.Value]; op != "" {
			return op
		}
		if e.Use == event.UseAtomic {
			return "atomic"
		}
		return "sync"
	case event.Access:
		if e.Kind.Atomic() {
			return "" // the operation itself follows
		}
		return e.Kind.String()
	}
	return ""
}

var chanOps = map[uint64]string{
	trace.ChanSend: "send", trace.ChanReceive: "receive", trace.ChanClose: "close", trace.ChanReceiveClosed: "receive of closed",
}

// shorten cuts the end of a text of more than n bytes.
func shorten(text string, n int) string {
	if len(text) <= n || n < 4 {
		return text
	}
	return text[:n-3] + "..."
}
