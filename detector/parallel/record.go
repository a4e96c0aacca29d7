package parallel

import "unsafe"

// A record holds the task, step, lockset and kind of accesses. All accesses of one kind
// that a task makes in one step under the same locks share a record. Their places are
// stored beside it, see origin.
type record struct {
	task uint32 // also the link of the free chain
	step uint32
	set  uint32
	code uint16 // the Kind, and the slot of task
	ends uint16 // if known, not 0: 1 + the steps from step to the one in which the last section of set ended
	mark uint32 // holds the decision of a sweep, see sweep.kept
}

const (
	kinds    = 4
	kindBits = 2

	// noRecord is the index of no record.
	noRecord = indexOf
)

func (e *Engine) record(i uint32) *record {
	return (*record)(unsafe.Add(nil, e.records.Base+uintptr(i)*unsafe.Sizeof(record{})))
}

// recordOf returns the record for accesses of kind k by t in its present step.
func (e *Engine) recordOf(t *Task, k Kind) uint32 {
	if t.nHolds != 0 {
		e.lockset(t)
	}
	if t.records[k%kinds] == noRecord {
		e.stock(&t.proc().records, &e.records)
		e.quickRecord(t, k)
	}
	return t.records[k%kinds]
}

// makeRecord makes i, an unused record, the record of t's accesses of kind k from now on.
// t's lockset is known.
//
//go:nosplit
func (e *Engine) makeRecord(t *Task, k Kind, i uint32) {
	*e.record(i) = record{task: t.id, step: t.step, set: t.set, code: uint16(k) | uint16(t.slot)<<kindBits}
	t.records[k%kinds] = i
	t.coverStep = t.step
}

//go:nosplit
func (p *record) kind() Kind { return Kind(p.code % kinds) }

//go:nosplit
func (p *record) slot() uint32 { return uint32(p.code >> kindBits) }

// settled reports whether all that follows the step of p follows the ends of its critical
// sections, too. False means unknown.
//
//go:nosplit
func (p *record) settled() bool { return p.set == 0 || p.ends == 1 }

// endedBefore reports whether each critical section of p has an end that precedes t in the weak order,
// or has no end. p precedes t.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) endedBefore(t *Task, p *record) bool {
	if p.settled() {
		return true
	}
	if p.ends == 0 {
		i, ok := e.lastEnd(p.set)
		if !ok {
			return false
		}
		n := uint32(1)
		if i != 0 {
			c := e.section(i)
			if n = c.endStep - p.step + 1; c.endTask != p.task || n > 1<<16-1 {
				return e.beforeWeak(t, c.endTask, c.endStep)
			}
		}
		p.ends = uint16(n) // other tasks may store the same
	}
	return p.task == t.id || e.stepIn(t.weak, p.slot()) >= p.step+uint32(p.ends)-1
}

// forgetRecords starts new records for t, whose step or locks have changed.
//
//go:nosplit
func (t *Task) forgetRecords() {
	t.records = [kinds]uint32{noRecord, noRecord, noRecord, noRecord}
}
