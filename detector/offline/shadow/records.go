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

// Records holds records by number. 0 means no record.
type Records struct {
	list   []Record
	marked []bool
	free   uint32 // the first free record, linked by Task; 0: none
	live   int
	recent [512]uint32 // hash table of recent records
}

// At returns record i.
func (r *Records) At(i uint32) *Record { return &r.list[i] }

// Len returns the number of records in use.
func (r *Records) Len() int { return r.live }

// Add returns the number of a record with the given contents. It returns an older record
// if it still knows one.
func (r *Records) Add(rec Record) uint32 {
	slot := &r.recent[(rec.Site^rec.Step<<3^rec.Stack<<5)%uint32(len(r.recent))]
	if i := *slot; i != 0 {
		old := r.list[i]
		old.Time = rec.Time
		if old == rec {
			return i
		}
	}
	if len(r.list) == 0 {
		r.list = make([]Record, 1, 64)
	}
	r.live++
	i := r.free
	if i != 0 {
		r.free = r.list[i].Task
		r.list[i] = rec
	} else {
		i = uint32(len(r.list))
		r.list = append(r.list, rec)
	}
	*slot = i
	return i
}

// Mark keeps record i through the next Sweep. It reports whether the record was unmarked.
func (r *Records) Mark(i uint32) bool {
	if i == 0 {
		return false
	}
	if len(r.marked) < len(r.list) {
		r.marked = make([]bool, len(r.list))
	}
	first := !r.marked[i]
	r.marked[i] = true
	return first
}

// Sweep frees the unmarked records and removes the marks.
func (r *Records) Sweep() {
	r.free, r.live = 0, 0
	for i := len(r.list) - 1; i > 0; i-- {
		if i < len(r.marked) && r.marked[i] {
			r.live++
			continue
		}
		r.list[i] = Record{Task: r.free}
		r.free = uint32(i)
	}
	r.marked = nil
	clear(r.recent[:])
}
