package tracefile

import (
	"bufio"
	"fmt"

	"taskinstr/detector/event"
	"taskinstr/detector/structure"
	"taskinstr/detector/trace"
)

var chanOps = map[uint64]string{
	trace.ChanSend: "send", trace.ChanReceive: "receive", trace.ChanClose: "close", trace.ChanReceiveClosed: "receive of closed",
}

// dump prints every event with its place.
func dump(o *options, w *bufio.Writer) error {
	n := 0
	print := func(s *trace.Symbols, e *event.Event) {
		fmt.Fprintf(w, "%d\t%v", n, *e)
		n++
		if raw := e.Op >= event.Acquire && e.Op < event.Outside; raw {
			if e.Use != event.UseNone {
				fmt.Fprintf(w, " by %s", useName(e.Use))
			}
			if e.Addr != 0 {
				fmt.Fprintf(w, " %#x %s", e.Addr, chanOps[e.Value])
			}
		}
		if e.Op == event.Access && e.Value != 0 {
			fmt.Fprintf(w, " = %#x", e.Value)
		}
		if e.Op == event.End && e.Obj == 0 {
			// No scope waits for the task. Its place says where it was made.
			fmt.Fprintf(w, " (no scope)")
		}
		if at := s.Position(e.Site, e.Stack); at != "" {
			fmt.Fprintf(w, "\t%s", at)
		}
		if expr := s.Place(e.Site).Expr(); expr != "" {
			fmt.Fprintf(w, "\t%s", expr)
		}
		fmt.Fprintln(w)
	}
	if o.raw {
		_, err := o.each(func(r *trace.Reader, e *event.Event) { print(r.Symbols, e) })
		return err
	}
	return o.structured(print)
}

// structured calls f for the events of the trace with the structure found in them.
func (o *options) structured(f func(*trace.Symbols, *event.Event)) error {
	var symbols *trace.Symbols
	finder := structure.NewFinder()
	finder.Own = func(e *event.Event) bool { return structure.Harness(symbols, e.Site, e.Stack) }
	if _, err := o.each(func(r *trace.Reader, e *event.Event) {
		symbols = r.Symbols
		finder.Event(e)
	}); err != nil {
		return err
	}
	m := finder.Plan().Mapper(func(e *event.Event) { f(symbols, e) })
	if _, err := o.each(func(_ *trace.Reader, e *event.Event) { m.Event(symbols, e) }); err != nil {
		return err
	}
	m.Close()
	return nil
}
