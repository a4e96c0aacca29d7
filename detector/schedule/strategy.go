package schedule

// A Reason says why a task is ready.
type Reason uint32

const (
	New     Reason = iota // it has just been made
	Woken                 // what it waited for has come
	Resumed               // it made a task, or came to a point where another task goes on
	Yielded               // it asked for others to be run
	Locking               // it is about to take a lock, which is free
)

// A Strategy chooses. Its methods are called by one thread at a time, without a task that
// runs meanwhile. All tasks are those of one [Tasks].
type Strategy interface {
	// Fork says that child, the newest task, exists. It is not ready yet.
	Fork(child ID)
	// Ready says that t could run.
	Ready(t ID, why Reason)
	// Stay reports whether t, which runs and could go on, goes on. If not, Ready(t) and
	// Next follow.
	Stay(t ID) bool
	// Next returns the task that runs now, which is no longer ready; 0 if none is to run
	// until another one becomes ready.
	Next() ID
	// End says that t, which is not ready, has ended.
	End(t ID)
}

var (
	_ Strategy = (*Serial)(nil)
	_ Strategy = (*Random)(nil)
	_ Strategy = (*Replay)(nil)
)

// Points says at which places the running task may have to let another one run first.
type Points uint32

const (
	PointsNone  Points = iota // nowhere: a task runs until it ends, blocks or makes another one
	PointsLocks               // where a task is about to take a lock
	PointsAll                 // in front of channel operations, atomic operations and locks
	PointsStops               // behind go statements, and where a line of a record stops (stop.go)
)

var pointsText = [...]string{"none", "locks", "all", "stops"}
