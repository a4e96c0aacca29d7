// Package schedule decides which task runs next when a program runs one task at a time.
//
// # Terms
//
// A task is a goroutine of the program. A task is ready if it could run: it has just been
// made, was woken, or yielded. The host runs the tasks: package runtime of a checked
// program, or a test. The host asks for a choice whenever the running task ends, blocks
// or yields. If the strategy wants it, the host also asks at points: places where the
// running task could continue but another task may run first.
//
// # Strategies
//
// A [Strategy] is notified of events (Fork, Ready, End) and answers two questions:
// whether the running task continues at a point (Stay), and which task runs now (Next).
//
//	Serial  serial.go  depth-first: a child runs at once, its parent continues after it
//	Random  random.go  chooses each ready task with equal probability, repeatably by a seed
//	Replay  replay.go  the choices of a recorded run, then Serial's
//
// With [PointsLocks] the only points are before lock operations, and [Locks] keeps a
// task from running while its lock is held. The search through the orders of critical
// sections is not a strategy: package detector/schedule/dfs runs a program again and
// again, each time with Replay and the beginning of an order that it wants to see.
//
// With [PointsStops] a line of a record tells how far its task runs (stop.go). In this
// way an order of events that no run has had yet can be written as a schedule.
//
// # Depth-first order
//
// In a serial depth-first execution a go statement is a call. [Tasks] keeps all living
// tasks in a list, in the order in which their remaining parts would run in that
// execution: a new child stands immediately before its parent. Labels that grow
// along the list compare two tasks in constant time. order.go has the algorithm, the
// second one of M. A. Bender, R. Cole, E. D. Demaine, M. Farach-Colton, J. Zito, Two
// Simplified Algorithms for Maintaining Order in a List, ESA 2002, with thresholds in
// integers.
//
// Serial always runs the first ready task in that list. As long as no task blocks, this
// is a stack of parents. A woken task continues as soon as the running task ends or
// blocks and no task before it can run.
//
// # Names
//
// The numbers of goroutines differ from run to run. A task is therefore named by its path
// of forks: main, main.3 for the third task that main made, main.3.1. Long paths are cut:
// after maxPath parts a task gets a number, @1, and the names of its descendants begin
// with that number. Tasks that no task made (functions of timers, calls from C) are named
// outside.1, outside.2. Paths are compared by their 64-bit hashes.
//
// # Memory
//
// The text of this package also becomes a part of package runtime (see package rt). It
// imports only unsafe, allocates no Go memory and uses 32-bit numbers instead of
// pointers. A task occupies one record of fixed size, which is reused when the task and
// its children have ended. A chain of tasks in which each makes the next keeps at most
// maxPath records of ended tasks alive.
//
// The strategies are files of one package, not packages of their own, because package
// runtime gets their text under one prefix and they share the table of tasks and its
// order.
package schedule
