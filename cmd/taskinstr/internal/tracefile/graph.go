package tracefile

import (
	"bufio"
	"fmt"
	"path"
	"strings"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/suite"
	"taskinstr/detector/trace"
)

// defaultLimit is how many steps are drawn unless -limit says otherwise.
const defaultLimit = 500

// A drawing is the task structure of a trace. Steps are runs of one task between two
// structural events.
type drawing struct {
	steps []*step
	edges []edge
	tasks []uint32 // in the order of their first steps
	names map[uint32]string
}

type step struct {
	task     uint32
	rank     int // the longest way from the first step
	accesses int
	races    []string // accesses in it that race
}

type edge struct {
	from, to int
	kind     edgeKind
}

type edgeKind uint8

const (
	next edgeKind = iota
	spawn
	join
	promise
	race
)

// A racing identifies one side of a race in the trace.
type racing struct {
	race int
	side int
	addr uint64
	size uint64
}

// builder makes a drawing from the events of a structured trace.
type builder struct {
	drawing
	limit   int
	at      map[uint32]int   // the present step of each task
	ends    map[uint64][]int // last steps of tasks, by their scopes
	sets    map[uint64]int   // the step that set a promise
	wanted  map[uint64]bool  // promises that another task reads
	parties map[event.Party][]racing
	sides   [][2]int // the steps of each race, plus one
	dropped int
}

func graph(o *options, w *bufio.Writer) error {
	if o.format != "dot" && o.format != "svg" {
		return fmt.Errorf("%q is no format; there are dot, svg", o.format)
	}
	d, err := o.draw()
	if err != nil {
		return err
	}
	if o.format == "svg" {
		d.svg(w)
	} else {
		d.dot(w)
	}
	return nil
}

// draw finds the races of the trace and its structure.
func (o *options) draw() (*drawing, error) {
	choices, err := suite.Parse(suite.Engine.Name)
	if err != nil {
		return nil, err
	}
	results, err := suite.Run(trace.File(o.file), choices)
	if err != nil {
		return nil, err
	}
	b := builder{
		drawing: drawing{names: map[uint32]string{}},
		limit:   o.limit,
		at:      map[uint32]int{},
		ends:    map[uint64][]int{},
		sets:    map[uint64]int{},
		wanted:  map[uint64]bool{},
		parties: map[event.Party][]racing{},
	}
	for i, x := range results[0].Races {
		b.parties[x.First] = append(b.parties[x.First], racing{i, 0, x.Addr, x.Size})
		b.parties[x.Second] = append(b.parties[x.Second], racing{i, 1, x.Addr, x.Size})
	}
	b.sides = make([][2]int, len(results[0].Races))
	setter := map[uint64]uint32{}
	if err := o.structured(func(_ *trace.Symbols, e *event.Event) {
		switch e.Op {
		case event.Set:
			setter[e.Obj] = e.Task
		case event.Get:
			if t, ok := setter[e.Obj]; ok && t != e.Task {
				b.wanted[e.Obj] = true
			}
		}
	}); err != nil {
		return nil, err
	}
	b.step(0)
	var symbols *trace.Symbols
	if err := o.structured(func(s *trace.Symbols, e *event.Event) { symbols = s; b.event(s, e) }); err != nil {
		return nil, err
	}
	if n := len(b.steps) + b.dropped; b.dropped > 0 {
		return nil, fmt.Errorf("the graph has %d steps, which is more than %d: nobody would see anything in it; use a smaller input, or -limit=%d", n, b.limit, n)
	}
	for _, t := range b.tasks {
		b.names[t] = "main"
		if t != 0 && symbols != nil {
			b.names[t] = fmt.Sprintf("goroutine %d", symbols.Goroutine(t))
		}
	}
	for _, s := range b.sides {
		if s[0] != 0 && s[1] != 0 {
			b.edges = append(b.edges, edge{s[0] - 1, s[1] - 1, race})
		}
	}
	return &b.drawing, nil
}

// step begins a new step of a task.
func (b *builder) step(task uint32) int {
	last, had := b.at[task]
	if len(b.steps) >= b.limit {
		b.dropped++
		return last
	}
	i := len(b.steps)
	b.steps = append(b.steps, &step{task: task})
	b.at[task] = i
	if had {
		b.edge(last, i, next)
	} else {
		b.tasks = append(b.tasks, task)
	}
	return i
}

func (b *builder) edge(from, to int, kind edgeKind) {
	if from == to {
		return // steps past the limit
	}
	b.edges = append(b.edges, edge{from, to, kind})
	b.steps[to].rank = max(b.steps[to].rank, b.steps[from].rank+1)
}

func (b *builder) event(s *trace.Symbols, e *event.Event) {
	switch e.Op {
	case event.Fork:
		from := b.at[e.Task]
		b.edge(from, b.step(e.Other), spawn)
		b.step(e.Task)
	case event.End:
		if e.Obj != 0 {
			b.ends[e.Obj] = append(b.ends[e.Obj], b.at[e.Task])
		}
	case event.FinishEnd:
		to := b.step(e.Task)
		for _, from := range b.ends[e.Obj] {
			b.edge(from, to, join)
		}
		delete(b.ends, e.Obj)
	case event.Set:
		if b.wanted[e.Obj] {
			b.sets[e.Obj] = b.at[e.Task]
			b.step(e.Task)
		}
	case event.Get:
		if from, ok := b.sets[e.Obj]; ok && b.steps[from].task != e.Task {
			b.edge(from, b.step(e.Task), promise)
		}
	case event.Access:
		i := b.at[e.Task]
		b.steps[i].accesses++
		for _, r := range b.parties[e.Party()] {
			side := &b.sides[r.race][r.side]
			if *side == 0 && e.Addr < r.addr+r.size && r.addr < e.Addr+e.Size {
				*side = i + 1
				b.steps[i].races = append(b.steps[i].races, accessText(s, e))
			}
		}
	}
}

func accessText(s *trace.Symbols, e *event.Event) string {
	text := e.Kind.String()
	if expr := s.Place(e.Site).Expr(); expr != "" {
		text += " of " + expr
	}
	if at := s.Position(e.Site, e.Stack); at != "" {
		text += " at " + path.Base(strings.ReplaceAll(at, `\`, "/"))
	}
	return text
}

// label is the text of a step, by lines.
func (d *drawing) label(i int) []string {
	s := d.steps[i]
	plural := "es"
	if s.accesses == 1 {
		plural = ""
	}
	return append([]string{fmt.Sprintf("%s: %d access%s", d.names[s.task], s.accesses, plural)}, s.races...)
}
