package schedule

import "unsafe"

// Replay makes the choices of a record (record.go, docs/design/schedule.md). If a chosen task is
// not ready, Replay waits for it: a timer or the network may wake it. After the last
// choice, tasks run as with Serial. They also do so once main has returned in both runs
// and the task of a choice is not ready.
type Replay struct {
	ts     *Tasks
	serial Serial
	known  index // the living tasks by path
	text   record

	head   head // its loose: choices that cannot be made are left out
	exited bool // main has returned in this run
	passed bool // the record's line for the return of main has been read
	free   bool // the record is used up or given up
	line   choice
	count  uint32 // the number of choices made
	state  State
}

// A State is the condition of a replay.
type State uint32

const (
	Running    State = iota
	Waiting          // the recorded task is not ready
	BadRecord        // the record cannot be read
	EndedEarly       // main has returned in this run, not yet in the recorded one
	EndedLate        // main has returned in the recorded run, not yet in this one
)

// Init prepares the replay of the record of n bytes at text, which must stay in memory.
// It reports whether the record begins correctly. If not, Line returns the line of the
// error.
func (r *Replay) Init(ts *Tasks, text unsafe.Pointer, n uintptr) bool {
	r.ts = ts
	r.serial.Init(ts)
	r.text = record{text: uintptr(text), n: n}
	ok := r.text.begin(&r.head)
	if !ok {
		r.state = BadRecord
	}
	return ok
}

// Points returns the kind of points of the recorded run.
func (r *Replay) Points() Points { return r.head.points }

// OnlyLocks is [Serial.OnlyLocks].
func (r *Replay) OnlyLocks() bool { return r.serial.OnlyLocks() }

// Seed returns the seed of the recorded run.
func (r *Replay) Seed() uint64 { return r.head.seed }

// Wall returns the wall clock at the start of the recorded run, in nanoseconds, if its clock was virtual, otherwise 0.
func (r *Replay) Wall() uint64 { return r.head.wall }

// Crypto reports whether the random bytes of package crypto/rand came from the seed of the recorded run.
func (r *Replay) Crypto() bool { return r.head.crypto }

// Sites returns the chosen sites of the recorded run, "" if it had none.
func (r *Replay) Sites() string {
	return unsafe.String((*byte)(unsafe.Add(nil, r.text.text+r.head.sites)), int(r.head.sitesSize))
}

// Clock returns the time, in nanoseconds since the start, to which a wait for the system, or a timer that was due soon, had moved the clock before the due choice.
// It returns each such time once.
func (r *Replay) Clock() (t uint64, timer, ok bool) {
	ok = r.text.newClock
	r.text.newClock = false
	return r.text.clock, r.text.newTimer, ok
}

// Free reports whether the record is used up or given up.
func (r *Replay) Free() bool { return r.free }

// State returns the reason for which the replay cannot make the due choice.
func (r *Replay) State() State { return r.state }

// Line returns the line of the record with the due choice, or the line that cannot be
// read. Count returns the number of choices made.
func (r *Replay) Line() uint32  { return r.text.line }
func (r *Replay) Count() uint32 { return r.count }

// Wanted writes the name of the task of the due choice to buf and returns its length. t
// is the task if it lives; otherwise parent is its nearest living ancestor.
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

// Exited records that main has returned.
func (r *Replay) Exited() { r.exited = true }

// GiveUp ends the replay. The rest of the run is as with Serial.
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

// AtLocks is [Serial.AtLocks].
func (r *Replay) AtLocks() bool { return r.serial.AtLocks() }

// Due reports whether a choice of the record is due.
func (r *Replay) Due() bool { return r.due() }

// Withdraw is [Serial.Withdraw].
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
	for r.due() {
		t := r.known.find(r.ts, r.line.hash)
		if t != 0 && r.ts.IsReady(t) {
			r.serial.take(t)
			r.made()
			return t
		}
		if r.head.loose {
			r.line.left = 0
			continue
		}
		if !r.passed {
			r.state = Waiting
			return 0
		}
		r.GiveUp() // after the end of main, the progress of other tasks depends on time
	}
	if r.free {
		return r.serial.Next()
	}
	return 0
}

// made completes the due choice.
func (r *Replay) made() {
	r.state = Running
	r.serial.settle()
	r.count++
	if r.line.stop == noStop {
		r.line.left--
	}
}

// due reports whether a choice is due, and stores it in r.line.
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
			if r.head.loose {
				r.GiveUp()
				return false
			}
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
	if !r.free && r.exited && !r.passed && !r.head.loose {
		r.state = EndedEarly
		return false
	}
	return !r.free
}
