package report

import (
	"fmt"
	"io"
	"strings"

	"taskinstr/detector/event"
	"taskinstr/detector/trace"
)

// Text writes the report of a race.
func Text(w io.Writer, s *trace.Symbols, x *Race) {
	p := printer{w, s}
	p.line("==================")
	switch x.Tier {
	case event.TierPredicted:
		p.line("WARNING: PREDICTED DATA RACE")
	case event.TierPossible:
		p.line("WARNING: POSSIBLE DATA RACE")
	default:
		p.line("WARNING: DATA RACE")
	}
	kind := x.Second.Kind.String()
	p.line("%s at 0x%012x by %s:", strings.ToUpper(kind[:1])+kind[1:], x.Second.Addr, p.task(x.Second.Task))
	p.stack(x.Second.Site, x.Second.Stack)
	p.line("\nPrevious %s at 0x%012x by %s:", x.First.Kind, x.First.Addr, p.task(x.First.Task))
	p.stack(x.First.Site, x.First.Stack)
	p.created(&x.Second)
	if x.First.Task != x.Second.Task {
		p.created(&x.First)
	}
	p.line("\nWhat is accessed:")
	p.accessed(&x.Second)
	p.accessed(&x.First)
	switch x.Tier {
	case event.TierPredicted:
		p.line("Why only this run orders them:")
	default:
		p.line("Why nothing orders them:")
	}
	for _, f := range p.facts(x) {
		p.line("  %s", f)
	}
	if len(x.By) > 0 {
		p.line("Found by: %s", strings.Join(x.By, ", "))
	}
	p.line("Fingerprint: %016x", Fingerprint(s, x.First.Party, x.Second.Party))
	p.line("==================")
}

type printer struct {
	w io.Writer
	s *trace.Symbols
}

func (p printer) line(format string, args ...any) { fmt.Fprintf(p.w, format+"\n", args...) }

func (p printer) task(i uint32) string {
	if i == 0 {
		return "main goroutine"
	}
	return fmt.Sprintf("goroutine %d", p.s.Goroutine(i))
}

func (p printer) stack(site, stack uint32) {
	calls := p.s.Calls(site, stack)
	for _, c := range calls {
		p.line("  %s()\n      %s:%d +0x%x", c.Func, c.File, c.Line, c.Offset)
	}
	if len(calls) == 0 {
		p.line("  [no frames: runtime code]")
	}
}

func (p printer) created(a *Side) {
	if a.Task == 0 {
		return
	}
	state := "running"
	if a.Ended {
		state = "finished"
	}
	p.line("\nGoroutine %d (%s) created at:", p.s.Goroutine(a.Task), state)
	p.stack(a.Fork.Site, a.Fork.Stack)
}

func (p printer) accessed(a *Side) {
	place := p.s.Place(a.Site)
	what := named(place)
	if what == "" {
		what = nameless(place.Hook, a.Size)
	}
	p.line("  %s of %s at %s", a.Kind, what, p.position(a.Site, a.Stack))
	if place.Also != "" {
		p.line("    the check there stands for the %s as well", strings.ReplaceAll(place.Also, "\t", ", the "))
	}
	for _, l := range a.Locks {
		p.line("    holding %s", p.lockFull(l))
	}
}

// named returns the expressions of a place with their declarations, "" if it has none.
func named(place *trace.Place) string {
	expr, decl := place.Expr(), place.Decl()
	if place.Count > len(place.Names) {
		expr += " or others"
	}
	if decl != "" && expr != "" {
		return expr + " (" + decl + ")"
	}
	return expr
}

// nameless describes the accessed memory of a place without an expression.
func nameless(hook string, size uint64) string {
	base := hook[strings.LastIndexByte(hook, '.')+1:]
	switch {
	case strings.HasPrefix(base, "map") || strings.HasPrefix(base, "reflect_map"):
		return "a map"
	case strings.Contains(hook, "chan"):
		return "a channel"
	case size == 1:
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", size)
}

func (p printer) position(site, stack uint32) string {
	if at := p.s.Position(site, stack); at != "" {
		return at
	}
	return "an unknown place"
}

// lock returns the name of a lock, or its address if it has none.
func (p printer) lock(l Lock) string {
	if l.Addr == event.Isolation {
		return "the lock of isolated sections"
	}
	if expr := p.s.Place(l.Site).Expr(); expr != "" {
		return expr
	}
	return fmt.Sprintf("lock 0x%012x", l.Addr)
}

func (p printer) lockFull(l Lock) string {
	place := p.s.Place(l.Site)
	shared := ""
	if l.Shared {
		shared = " for reading"
	}
	name, decl := place.Expr(), place.Decl()
	if name == "" {
		name = "a lock"
	} else if decl != "" {
		decl += ", "
	}
	text := fmt.Sprintf("%s%s (%s0x%012x)", name, shared, decl, l.Addr)
	if at := p.s.Position(l.Site, 0); at != "" {
		text += ", taken at " + at
	}
	return text
}
