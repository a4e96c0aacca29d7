package schedule

// An Op is the kind of an operation that a task is about to make at a point. Two
// operations of different tasks conflict if their order can make a difference.
type Op uint32

const (
	OpNone   Op = iota // none, or one whose order makes no difference
	OpRead             // it leaves the object as it is: an atomic load, a lock taken in shared mode
	OpWrite            // it may change the object
	OpChan             // a channel operation
	OpSelect           // a select, of channels that are not known here
)

// About records the operation that t, the running task, is about to make.
func (ts *Tasks) About(t ID, op Op, object uintptr) {
	e := ts.at(t)
	e.op, e.object = op, object
}

// conflict reports whether the operations that a and b are about to make conflict.
func (ts *Tasks) conflict(a, b ID) bool {
	x, y := ts.at(a), ts.at(b)
	switch {
	case x.op == OpNone || y.op == OpNone:
		return false
	case x.op == OpSelect:
		return y.op == OpSelect || y.op == OpChan
	case y.op == OpSelect:
		return x.op == OpChan
	}
	return x.object == y.object && !(x.op == OpRead && y.op == OpRead)
}
