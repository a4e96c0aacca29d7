package tracefile

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"taskinstr/detector/event"
	"taskinstr/detector/trace"
)

// stat prints figures of a trace.
func stat(o *options, w *bufio.Writer) error {
	f := figures{
		ops: map[event.Op]int64{}, uses: map[event.Use]int64{}, kinds: map[event.Kind]int64{},
		tasks: map[uint32]bool{0: true}, running: 1, most: 1, words: map[uint64]bool{},
	}
	r, err := o.each(func(_ *trace.Reader, e *event.Event) { f.add(e) })
	if r == nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	f.print(r, func(name string, v any) { fmt.Fprintf(t, "%s\t%v\n", name, v) })
	t.Flush()
	return err
}

// figures are counts of a trace's events.
type figures struct {
	ops           map[event.Op]int64
	uses          map[event.Use]int64
	kinds         map[event.Kind]int64 // of accesses
	tasks         map[uint32]bool
	running, most int             // tasks now, and at most at once
	words         map[uint64]bool // of the first bytes of accesses, for their number
}

// add counts an event.
func (f *figures) add(e *event.Event) {
	f.ops[e.Op]++
	switch e.Op {
	case event.Fork:
		f.tasks[e.Other] = true
		f.running++
		f.most = max(f.most, f.running)
	case event.End:
		f.running--
	case event.Access:
		f.kinds[e.Kind]++
		f.words[e.Addr/8] = true
	}
	if e.Use != event.UseNone {
		f.uses[e.Use]++
	}
}

// print calls row for each figure of the trace that r has read.
func (f *figures) print(r *trace.Reader, row func(name string, v any)) {
	for _, name := range []string{"go", "os", "arch", "module", "packages"} {
		if v := r.Meta[name]; v != "" {
			row(name, v)
		}
	}
	complete := "yes"
	if !r.Complete {
		complete = "no: the program was killed, or is still running"
	}
	row("complete", complete)
	row("blocks", r.Blocks)
	row("bytes", fmt.Sprintf("%d, records %d", r.Stored, r.Size))
	row("places", len(r.Places)-1)
	row("calling contexts", len(r.Stacks)-1)
	row("tasks", len(f.tasks))
	row("tasks at once", f.most)
	row("words accessed", len(f.words))
	row("events", r.Events)
	for _, op := range slices.Sorted(maps.Keys(f.ops)) {
		row("  "+op.String(), f.ops[op])
		if op == event.Access {
			for k := event.Read; k <= event.AtomicWrite; k++ {
				if f.kinds[k] > 0 {
					row("    "+k.String(), f.kinds[k])
				}
			}
		}
	}
	if len(f.uses) > 0 {
		row("operations that order", "")
		for u := event.UseNone; u < event.Uses; u++ {
			if f.uses[u] > 0 {
				row("  "+useName(u), f.uses[u])
			}
		}
	}
}

// useName returns the name of an operation. It does not depend on the structure of the
// trace: a WaitGroup has one name whether or not it is a finish scope.
func useName(u event.Use) string {
	switch u {
	case event.UseWaitGroup:
		return "WaitGroup"
	case event.UseChannel:
		return "channel"
	}
	return u.String()
}
