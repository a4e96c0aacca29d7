package serial

// An Algorithm decides about order. The engines of packages espbags and drdp are
// Algorithms, and each embeds an Engine as its first field.
//
// A unit is a piece of execution that an entry of the shadow can name: a task for
// ESP-bags, a step of a task for DRDP. Units are numbered from Engine.Base; 0 names none.
// Units and tasks below Engine.Base precede everything that happens from now on.
type Algorithm interface {
	// Parallel reports whether a unit, or 0, may run in parallel with the present step
	// of t.
	Parallel(t *Task, unit uint32) bool

	// Precedes reports whether a unit, or 0, is known to precede the present step of t.
	// It runs on the stack of the task and is quick; it may return false where Parallel
	// returns false, too.
	Precedes(t *Task, unit uint32) bool

	// Represents reports whether each later access that races with t races with a unit,
	// if both accesses are of the same kind and under the same locks.
	Represents(t *Task, unit uint32) bool

	// Remember adds a read of t at origin o to the readers r, whose holder keeps the
	// origin ro. It returns the readers and the origin that the holder keeps from now on.
	Remember(t *Task, r, ro, o uint32) (readers, origin uint32)

	// Ready reports whether Quick and Again may record accesses of t. They call Note
	// before they do; any other way of recording calls Use. Ready and Note run on the
	// stack of the task.
	Ready(t *Task) bool
	Note(t *Task)
	Use(t *Task)

	// Passed is told an entry of a whole word that a read of t leaves as it is. It runs
	// on the stack of the task.
	Passed(t *Task, x uint64)

	// Settled is called when t, the only task that runs, begins to be alone.
	Settled(t *Task)

	// Restart empties the algorithm's tables and raises Base: nothing that was recorded
	// matters any more. Then Renew gives each task that is alive another identity, with
	// the description that it had.
	Restart()
	Renew(t *Task, old Info)

	// TaskOf returns the task that a unit belongs to, and InfoOf the description of a
	// task, nil if the task is 0 or no longer known.
	TaskOf(unit uint32) uint32
	InfoOf(task uint32) *Info

	// During a sweep, Keep is told each unit that the shadow names, and BehindAll reports
	// whether a unit, or 0, is known to precede all tasks that are alive.
	Keep(unit uint32)
	BehindAll(unit uint32) bool

	// ObjectIn reports whether something of the algorithm belongs to n bytes at a, in a
	// chunk that HoldObject has been told of. DropObjects forgets it, because the memory
	// has a new owner.
	ObjectIn(a, n uintptr) bool
	DropObjects(a, n uintptr)
}
