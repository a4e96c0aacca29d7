package espbags

import (
	"unsafe"

	"taskinstr/detector/mem"
	"taskinstr/detector/serial"
)

// An Engine is one execution. The zero value wants Init.
type Engine struct {
	serial.Engine

	forest mem.Zeroed // see up
	infos  mem.Zeroed // by the same index
	scopes mem.Arena
	slots  mem.Zeroed // of 4 bytes: lists of scopes by hash of their key

	nextID  uint32 // the next task id
	freeID  uint32 // the chain of free ones
	peak    uint32 // the most ids that were in use before a restart
	escaped uint32 // the P-bag of tasks that ended in no scope

	// shared is an entry that a read of any task leaves as it is until the next Wait: it has
	// no writer, and its reader is in a P-bag. Else it is NoEntry.
	shared uint64

	newest uint32 // the body of the task forked last
	unions uint64
	late   uint64
}

// Stats are counters of one execution.
type Stats struct {
	serial.Stats
	Tasks  uint32 // ids in use, or that were when a sweep looked last
	Unions uint64 // of bags
	Late   uint64 // tasks that went on behind the end that their scope waits for
}

const (
	maxTasks  = serial.MaxUnits
	maxScopes = 1 << 26
)

// Init begins an execution and returns the main task.
func (e *Engine) Init(o Options) *Task {
	hostBind(e)
	e.Engine.Init(o, unsafe.Sizeof(state{}))
	e.AtomicConflicts = true
	e.forest.Init(maxTasks * 4)
	e.infos.Init(maxTasks * unsafe.Sizeof(info{}))
	e.scopes.Init(unsafe.Sizeof(scope{}), 0, maxScopes, "finish scopes")
	e.slots.Init(scopeSlots * 4)
	e.nextID = e.Base
	e.shared = serial.NoEntry
	t := e.Fork(nil, 0, 0)
	e.infoOf(t.ID).Flags = serial.IsMain
	return t
}

// Close gives all memory back.
func (e *Engine) Close() {
	e.Engine.Close()
	e.forest.Close()
	e.infos.Close()
	e.scopes.Close()
	e.slots.Close()
}

// Stats fills s.
func (e *Engine) Stats(s *Stats) {
	e.FillStats(&s.Stats)
	s.Tasks, s.Unions, s.Late = e.nextID-e.Base, e.unions, e.late
	s.Committed += uint64(max(e.peak, s.Tasks))*uint64(4+unsafe.Sizeof(info{})) + e.scopes.Bytes()
}
