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
	ops := map[event.Op]int64{}
	uses := map[event.Use]int64{}
	kinds := map[event.Kind]int64{}
	tasks := map[uint32]bool{0: true}
	running, most := 1, 1
	words := map[uint64]bool{} // of the first bytes of accesses, for their number
	r, err := o.each(func(_ *trace.Reader, e *event.Event) {
		ops[e.Op]++
		switch e.Op {
		case event.Fork:
			tasks[e.Other] = true
			running++
			most = max(most, running)
		case event.End:
			running--
		case event.Access:
			kinds[e.Kind]++
			words[e.Addr/8] = true
		}
		if e.Use != event.UseNone {
			uses[e.Use]++
		}
	})
	if r == nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	row := func(name string, v any) { fmt.Fprintf(t, "%s\t%v\n", name, v) }
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
	row("tasks", len(tasks))
	row("tasks at once", most)
	row("words accessed", len(words))
	row("events", r.Events)
	for _, op := range slices.Sorted(maps.Keys(ops)) {
		row("  "+op.String(), ops[op])
		if op == event.Access {
			for k := event.Read; k <= event.AtomicWrite; k++ {
				if kinds[k] > 0 {
					row("    "+k.String(), kinds[k])
				}
			}
		}
	}
	if len(uses) > 0 {
		row("operations that order", "")
		for u := event.UseNone; u < event.Uses; u++ {
			if uses[u] > 0 {
				row("  "+useName(u), uses[u])
			}
		}
	}
	t.Flush()
	return err
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
