package schedule

import "unsafe"

// Replay makes the choices of a record (record.go, docs/schedule.md). A chosen task that
// is not ready is waited for: a timer or the network may wake it. Behind the last
// choice, and once main has returned in both runs and a choice cannot be made any more,
// tasks run as with Serial.
type Replay struct {
	ts     *Tasks
	serial Serial
	known  index // the living tasks by path
	text   record

	points Points
	seed   uint64
	exited bool // main has returned, in this run
	passed bool // the line that says so for the recorded run has been read
	free   bool // the record is used up or given up
	line   choice
	count  uint32 // choices made
	state  State
}

// A State says whether a replay goes well.
type State uint32

const (
	Running    State = iota
	Waiting          // the recorded task is not ready
	BadRecord        // the record cannot be read
	EndedEarly       // main has returned, in this run alone
	EndedLate        // main has returned, in the recorded run alone
)

// Init prepares the replay of the record of n bytes at text, which stays. It reports
// whether the record begins as one; Line says where it does not.
func (r *Replay) Init(ts *Tasks, text unsafe.Pointer, n uintptr) bool {
	r.ts = ts
	r.serial.Init(ts)
	r.text = record{text: uintptr(text), n: n}
	ok := r.text.begin(&r.points, &r.seed)
	if !ok {
		r.state = BadRecord
	}
	return ok
}

// Points returns at which points the recorded run asked its strategy.
func (r *Replay) Points() Points { return r.points }

// OnlyLocks is that of [Serial].
func (r *Replay) OnlyLocks() bool { return r.serial.OnlyLocks() }

// Seed returns the seed of the recorded run.
func (r *Replay) Seed() uint64 { return r.seed }

// State returns what keeps the replay from making the choice that is due.
func (r *Replay) State() State { return r.state }

// Line returns the line of the record with the choice that is due or cannot be read, and
// Count the number of choices that have been made.
func (r *Replay) Line() uint32  { return r.text.line }
func (r *Replay) Count() uint32 { return r.count }

// Wanted writes into buf the name of the task whose choice is due and returns its length.
// The task, if it lives, is t, and parent the last of those on its path that lives.
func (r *Replay) Wanted(buf *[MaxName]byte) (n int, t, parent ID) {
	for n < int(r.line.size) && n < MaxName {
		buf[n] = r.text.byte(r.line.name + uintptr(n))
		n++
	}
	for end := r.line.size; end > 0; {
		h, ok := r.text.hash(r.line.name, end)
		if ok {
			if a := r.known.find(r.ts, h); a != 0 {
				if end == r.line.size {
					return n, a, 0
				}
				return n, 0, a
			}
		}
		for end--; end > 0 && r.text.byte(r.line.name+end) != '.'; end-- {
		}
	}
	return n, 0, 0
}

// Exited says that main has returned.
func (r *Replay) Exited() { r.exited = true }

// GiveUp makes the rest of the run one of Serial.
func (r *Replay) GiveUp() {
	r.free = true
	r.state = Running
}

func (r *Replay) Fork(child ID) {
	r.known.add(r.ts, child)
	r.serial.Fork(child)
}

func (r *Replay) End(t ID) {
	r.known.remove(r.ts, t)
	r.serial.End(t)
}

func (r *Replay) Ready(t ID, why Reason) { r.serial.Ready(t, why) }

// AtLocks is that of [Serial].
func (r *Replay) AtLocks() bool { return r.serial.AtLocks() }

// Due reports whether a choice of the record is due.
func (r *Replay) Due() bool { return r.due() }

// Withdraw is that of [Serial].
func (r *Replay) Withdraw(t ID) { r.serial.Withdraw(t) }

func (r *Replay) Stay(t ID) bool {
	r.reached(t, stopGo, r.ts.at(t).forks)
	if !r.due() {
		return r.free && r.serial.Stay(t)
	}
	if r.line.hash != r.ts.Hash(t) {
		return false
	}
	r.made()
	return true
}

func (r *Replay) Next() ID {
	if r.due() {
		t := r.known.find(r.ts, r.line.hash)
		if t != 0 && r.ts.IsReady(t) {
			r.serial.take(t)
			r.made()
			return t
		}
		if !r.passed {
			r.state = Waiting
			return 0
		}
		r.GiveUp() // what runs beside the end of main depends on time
	}
	if r.free {
		return r.serial.Next()
	}
	return 0
}

// made ends the choice that was due.
func (r *Replay) made() {
	r.state = Running
	r.serial.settle()
	r.count++
	if r.line.stop == noStop {
		r.line.left--
	}
}

// due reports whether a choice is due, and makes r.line that choice.
func (r *Replay) due() bool {
	if r.state == BadRecord {
		return false
	}
	for !r.free && r.line.left == 0 {
		switch r.text.next(&r.line) {
		case lineEnd:
			r.GiveUp()
			return false
		case lineExit:
			if !r.exited {
				r.text.back()
				r.state = EndedLate
				return false
			}
			r.passed = true
		case lineBad:
			r.state = BadRecord
			return false
		}
	}
	if !r.free && r.exited && !r.passed {
		r.state = EndedEarly
		return false
	}
	return !r.free
}
