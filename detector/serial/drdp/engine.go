package drdp

import (
	"unsafe"

	"taskinstr/detector/mem"
	"taskinstr/detector/serial"
)

// An Engine is one execution. The zero value wants Init.
type Engine struct {
	serial.Engine

	// NoHeirs switches heirs off. It is for tests, because heirs answer most questions that
	// would reach the search.
	NoHeirs bool

	steps   mem.Zeroed // see stepOf
	infos   mem.Arena
	joins   mem.Arena
	objects mem.Arena
	slots   mem.Zeroed // of 4 bytes: lists of objects by hash of their key
	points  mem.Arena
	queue   mem.Zeroed // of a search

	nextStep uint32 // the next step; they are numbered from e.Base
	freeStep uint32 // the chain of free ones
	freeInfo uint32
	peak     uint32 // the most tasks that were known before a restart
	clock    uint32
	epoch    uint32 // the last one given out
	round    uint32 // of searches
	queued   uint32

	answers [answers]answer

	counts counts
}

// Stats are counters of one execution.
type Stats struct {
	serial.Stats
	counts
	Tasks uint32 // tasks known
}

type counts struct {
	Height    uint32 // how deep tasks were nested
	Steps     uint64 // that made an access
	TreeJoins uint64 // of a task that has ended by one above it
	Joins     uint64 // others
	Ordered   uint64 // acquires of places that precede the task by forks and joins of the tree
	Checks    uint64 // questions for the order of a step and a task, but for repeated ones
	Searches  uint64 // of them that forks and joins of the tree do not answer
	Visited   uint64 // places that searches came by
}

const (
	maxSteps   = serial.MaxUnits
	maxTasks   = 1 << 28
	maxObjects = 1 << 28
	maxJoins   = 1 << 30
	maxQueue   = 1 << 28
)

// Init begins an execution and returns the main task.
func (e *Engine) Init(o Options) *Task {
	hostBind(e)
	e.Engine.Init(o, unsafe.Sizeof(state{}))
	e.slots.Init(objectSlots * 4)
	e.steps.Init(maxSteps * unsafe.Sizeof(step{}))
	e.infos.Init(unsafe.Sizeof(info{}), 0, maxTasks, "tasks")
	e.joins.Init(unsafe.Sizeof(join{}), 0, maxJoins, "joins")
	e.objects.Init(unsafe.Sizeof(object{}), 0, maxObjects, "promises and scopes")
	e.points.Init(unsafe.Sizeof(point{}), 0, maxJoins, "releases")
	e.queue.Init(maxQueue * unsafe.Sizeof(place{}))
	e.nextStep = e.Base
	t := e.Fork(nil, 0, 0)
	e.infoOf(t.ID).Flags |= serial.IsMain
	return t
}

// tables are the arenas whose elements take memory as long as the program runs.
func (e *Engine) tables() [3]*mem.Arena {
	return [3]*mem.Arena{&e.joins, &e.objects, &e.points}
}

// Close gives all memory back.
func (e *Engine) Close() {
	e.Engine.Close()
	e.slots.Close()
	for _, a := range e.tables() {
		a.Close()
	}
	e.steps.Close()
	e.infos.Close()
	e.queue.Close()
}

// Stats fills s.
func (e *Engine) Stats(s *Stats) {
	e.FillStats(&s.Stats)
	s.counts = e.counts
	s.Tasks = e.infos.Next - 1
	s.Committed += uint64(max(e.peak, s.Tasks)) * uint64(unsafe.Sizeof(info{}))
	s.Committed += uint64(e.nextStep-e.Base) * uint64(unsafe.Sizeof(step{}))
	for _, a := range e.tables() {
		s.Committed += a.Bytes()
	}
}
