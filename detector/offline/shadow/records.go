package shadow

import "taskinstr/detector/event"

// A Record is an access of a step, to which cells refer. All accesses of one step at one
// place in the source share a record.
type Record struct {
	Step  uint32 // a node of the program structure tree
	Task  uint32
	Site  uint32
	Stack uint32
	Locks uint32 // the locks that the task held
	Time  uint32 // of the detector's clock; a record that Add finds again keeps its own
	Kind  event.Kind
}

// Party returns the description of the access in a race.
func (r *Record) Party() event.Party {
	return event.Party{Task: r.Task, Kind: r.Kind, Site: r.Site, Stack: r.Stack}
}

// Records holds records by number.
type Records struct {
	Slab[Record]
	recent [512]uint32 // hash table of recent records
}

// Add returns the number of a record with the given contents. It returns an older record
// if it still knows one.
func (r *Records) Add(rec Record) uint32 {
	slot := &r.recent[(rec.Site^rec.Step<<3^rec.Stack<<5)%uint32(len(r.recent))]
	if i := *slot; i != 0 {
		old := *r.At(i)
		old.Time = rec.Time
		if old == rec {
			return i
		}
	}
	*slot = r.Slab.Add(rec)
	return *slot
}

// Sweep frees the unmarked records and removes the marks.
func (r *Records) Sweep() {
	r.Slab.Sweep()
	clear(r.recent[:])
}
