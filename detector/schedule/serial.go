package schedule

// Serial is the serial depth-first schedule, with additional rules for tasks that block
// and tasks that yield:
//
//   - A new task runs at once.
//   - Otherwise the first ready task in depth-first order runs: the parent if the running
//     task has ended, or a woken task that comes before the parent.
//   - A task that is about to take a lock runs when only such tasks, or tasks that yielded,
//     are ready: the first of them in depth-first order. (Such tasks exist only with
//     PointsLocks.)
//   - A task that yielded runs when no other is ready. Several of them take turns.
//   - After fairAfter choices without a new task and without an end, each ready task runs
//     once. Otherwise two tasks that wake each other for ever would keep all other tasks
//     from running, including a task that would stop them.
type Serial struct {
	ts      *Tasks
	next    ID // a new task
	heap    heap
	locks   heap // tasks that are about to take a lock
	yielded queue
	idle    uint32 // choices without a fork or an end
	round   uint32 // the number of tasks at the head of yielded that run before others
}

// fairAfter is the number of choices without progress made in depth-first order.
const fairAfter = 10_000

func (s *Serial) Init(ts *Tasks) { s.ts = ts }

func (s *Serial) Fork(child ID) { s.idle = 0 }

func (s *Serial) End(t ID) { s.idle = 0 }

func (s *Serial) Ready(t ID, why Reason) {
	switch why {
	case New:
		s.settle()
		s.next = t
		s.ts.at(t).where = isNext
	case Locking:
		s.locks.push(s.ts, t)
		s.ts.at(t).where = inLocks
	case Yielded:
		s.yielded.push(s.ts, t)
	default:
		s.heap.push(s.ts, t)
	}
}

// Stay returns false only if there is a new task, which runs first.
func (s *Serial) Stay(t ID) bool { return s.next == 0 }

func (s *Serial) Next() ID {
	if t := s.next; t != 0 {
		s.take(t)
		return t
	}
	s.idle++
	if s.idle > fairAfter && s.round == 0 {
		for t := s.heap.pop(s.ts); t != 0; t = s.heap.pop(s.ts) {
			s.yielded.push(s.ts, t)
		}
		s.round = s.yielded.n
		s.idle = 0
	}
	if s.round > 0 {
		s.round--
		if t := s.yielded.pop(s.ts); t != 0 {
			return t
		}
	}
	if t := s.heap.pop(s.ts); t != 0 {
		return t
	}
	if t := s.locks.pop(s.ts); t != 0 {
		return t
	}
	return s.yielded.pop(s.ts)
}

// settle is called after a choice that Serial did not make: a new task has lost its
// precedence and is ready like any other task.
func (s *Serial) settle() {
	if t := s.next; t != 0 {
		s.next = 0
		s.heap.push(s.ts, t)
	}
}

// OnlyLocks reports whether every ready task is about to take a lock or has yielded.
func (s *Serial) OnlyLocks() bool { return s.next == 0 && s.heap.root == 0 }

// AtLocks reports whether some task is about to take a lock, and every other ready task
// has yielded.
func (s *Serial) AtLocks() bool { return s.OnlyLocks() && s.locks.root != 0 }

// Withdraw makes t, a ready task that is about to take a lock, not ready.
func (s *Serial) Withdraw(t ID) { s.take(t) }

// take makes t, a ready task, the running task.
func (s *Serial) take(t ID) {
	switch s.ts.at(t).where {
	case isNext:
		s.next = 0
		s.ts.at(t).where = nowhere
	case inLocks:
		s.locks.remove(s.ts, t)
	case inHeap:
		s.heap.remove(s.ts, t)
	case inQueue:
		s.yielded.remove(s.ts, t)
	}
}
