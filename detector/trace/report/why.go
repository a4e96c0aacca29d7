package report

import (
	"fmt"
	"strings"

	"taskinstr/detector/event"
)

// facts explains why nothing orders the two accesses, one fact a line.
func (p printer) facts(x *Race) []string {
	var facts []string
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	if x.Note != "" {
		add("%s", x.Note)
	}
	if x.Tier == event.TierPredicted {
		add("only the order in which locks were taken kept them apart")
	}
	add("%s", p.locks(&x.Second, &x.First))
	if x.First.Kind.Atomic() != x.Second.Kind.Atomic() {
		add("one access is atomic and the other is not: both must be")
	}
	a, b := &x.Second, &x.First
	if a.Task != b.Task && a.Fork.Site == b.Fork.Site && a.Fork.Stack == b.Fork.Stack && a.Fork.Site != 0 &&
		a.Branch.Task == a.Task && b.Branch.Task == b.Task {
		add("goroutines %d and %d come from the same %s, in %s", p.s.Goroutine(a.Task), p.s.Goroutine(b.Task), p.start(a.Fork), p.task(x.Ancestor))
	} else {
		for _, s := range []*Side{a, b} {
			facts = append(facts, p.began(s, x.Ancestor)...)
		}
		for _, s := range []*Side{a, b} {
			if s.Task == x.Ancestor {
				without := ", without waiting"
				if x.Tier == event.TierPredicted {
					without = ""
				}
				add("%s makes its own access after that%s", p.task(s.Task), without)
			}
		}
	}
	if x.Tier == event.TierRace {
		add("no lock, channel or other synchronization makes the later access wait for the earlier one")
	}
	return facts
}

// locks lists the locks that the two sides hold and explains why they do not suffice.
func (p printer) locks(a, b *Side) string {
	for _, l := range a.Locks {
		for _, m := range b.Locks {
			if l.Addr == m.Addr && l.Shared && m.Shared {
				return "both hold " + p.lock(l) + ", but only for reading: RLock does not exclude a write"
			}
		}
	}
	switch {
	case len(a.Locks) == 0 && len(b.Locks) == 0:
		return "neither holds a lock"
	case len(a.Locks) > 0 && len(b.Locks) > 0:
		return p.holds(a) + ", " + p.holds(b) + ": different locks do not exclude each other"
	case len(a.Locks) > 0:
		return p.holds(a) + ", " + p.holds(b)
	}
	return p.holds(b) + ", " + p.holds(a)
}

func (p printer) holds(a *Side) string {
	var names []string
	for _, l := range a.Locks {
		name := p.lock(l)
		if l.Shared {
			name += " for reading"
		}
		names = append(names, name)
	}
	if names == nil {
		names = []string{"no lock"}
	}
	return p.task(a.Task) + " holds " + strings.Join(names, " and ")
}

// start describes the origin of a task: a go statement, or the call of a function with
// one.
func (p printer) start(o Origin) string {
	c, callee, ok := p.s.OwnCall(o.Site, o.Stack)
	at := "an unknown place"
	if ok {
		at = fmt.Sprintf("%s:%d", c.File, c.Line)
	}
	if callee != "" {
		return "call of " + callee + " at " + at
	}
	return "go statement at " + at
}

// services describes the tasks that the runtime makes, by the functions that make them.
var services = []struct{ prefix, text string }{
	{"time.goFunc", "runs the function of a timer"},
	{"runtime.createfing", "runs finalizers"},
	{"runtime.(*cleanupQueue).", "runs cleanups"},
	{"runtime.newextram", "runs on a thread that C has created"},
	{"runtime.", "was made by the runtime"},
}

// service describes the purpose of a task that no go statement of the program made; "":
// the program made it.
func (p printer) service(o Origin) string {
	if o.Site == 0 {
		return "was made by the runtime"
	}
	if l := p.s.Frames(o.Site); len(l) > 0 {
		for _, s := range services {
			if strings.HasPrefix(l[len(l)-1].Func, s.prefix) {
				return s.text
			}
		}
	}
	return ""
}

// began describes the origins of a side's task and of the ancestor's child above it.
func (p printer) began(s *Side, ancestor uint32) []string {
	if s.Task == ancestor {
		return nil
	}
	if does := p.service(s.Fork); does != "" {
		return []string{p.task(s.Task) + " " + does}
	}
	in := ", in " + p.task(ancestor)
	first := p.task(s.Task) + " comes from the " + p.start(s.Fork)
	if s.Branch.Task == s.Task {
		return []string{first + in}
	}
	return []string{first, "its ancestor " + p.task(s.Branch.Task) + " comes from the " + p.start(s.Branch) + in}
}
