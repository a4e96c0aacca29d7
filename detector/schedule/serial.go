package schedule

// Serial is the serial depth-first schedule, with what tasks that block and tasks that
// give way need beyond it:
//
//   - A new task runs at once.
//   - Otherwise the first ready task in depth-first order runs. That is the parent, if the
//     running task has ended; a task that was woken, if it comes before the parent.
//   - A task that is about to take a lock runs when no other is ready but such tasks, the
//     first of them in depth-first order. (There are such tasks with PointsLocks only.)
//   - A task that gave way runs when no other is ready. Several of them take turns.
//   - After fairAfter choices without a new task and without an end, each ready task runs
//     once. Two tasks that wake each other for ever would otherwise keep all others, also
//     the one that stops them, from running.
type Serial struct {
	ts      *Tasks
	next    ID // a new task
	heap    heap
	locks   heap // of tasks that are about to take a lock
	yielded queue
	idle    uint32 // choices without a fork or an end
	round   uint32 // tasks at the head of yielded that run before others
}

// fairAfter is the number of choices without progress that are made in depth-first order.
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

// Stay lets a new task run first, and no other.
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

// settle says that a choice was made which was not that of s: a new task is ready like
// others.
func (s *Serial) settle() {
	if t := s.next; t != 0 {
		s.next = 0
		s.heap.push(s.ts, t)
	}
}

// OnlyLocks reports whether all tasks that are ready are about to take locks, but for
// those that gave way.
func (s *Serial) OnlyLocks() bool { return s.next == 0 && s.heap.root == 0 }

// AtLocks reports whether tasks are about to take locks, and no other can run but for those
// that gave way.
func (s *Serial) AtLocks() bool { return s.OnlyLocks() && s.locks.root != 0 }

// Withdraw takes it back that t, which is about to take a lock, is ready.
func (s *Serial) Withdraw(t ID) { s.take(t) }

// take makes t, which is ready, the task that runs.
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
