package schedule

// A Reason is the reason for which a task is ready.
type Reason uint32

const (
	New     Reason = iota // it has just been made
	Woken                 // the event that it waited for has come
	Resumed               // it made a task, or reached a point where another task continues
	Yielded               // it let other tasks run
	Locking               // it is about to take a lock that is free
)

// A Strategy chooses the running task. Its methods are called by one thread at a time,
// while no task runs. All tasks belong to one [Tasks].
type Strategy interface {
	// Fork notifies of child, the newest task. It is not ready yet.
	Fork(child ID)
	// Ready notifies that t could run.
	Ready(t ID, why Reason)
	// Stay reports whether t, the running task, continues at a point. If not, Ready(t)
	// and Next follow.
	Stay(t ID) bool
	// Next returns the task that runs now, which is no longer ready. It returns 0 if no
	// task may run until another one becomes ready.
	Next() ID
	// End notifies that t, which is not ready, has ended.
	End(t ID)
}

var (
	_ Strategy = (*Serial)(nil)
	_ Strategy = (*Random)(nil)
	_ Strategy = (*PCT)(nil)
	_ Strategy = (*POS)(nil)
	_ Strategy = (*SURW)(nil)
	_ Strategy = (*Selective)(nil)
	_ Strategy = (*Preempt)(nil)
	_ Strategy = (*Replay)(nil)
)

// Points selects the places at which another task may run before the running task
// continues.
type Points uint32

const (
	PointsNone  Points = iota // none: a task runs until it ends, blocks or makes another task
	PointsLocks               // where a task is about to take a lock
	PointsAll                 // before channel operations, atomic operations and locks
	PointsOps                 // where a task is about to make any operation that orders tasks
	PointsStops               // after go statements, and where a line of a record stops (stop.go)

	// PointsProgram are those of PointsAll, without initialization and without the code of package testing.
	PointsProgram
)

var pointsText = [...]string{"none", "locks", "all", "ops", "stops", "program"}
