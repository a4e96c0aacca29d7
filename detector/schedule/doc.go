// Package schedule decides who runs next when a program runs one task at a time.
//
// # Terms
//
// A task is a goroutine of the program. A task is ready when it could run: it has just
// been made, was woken, or gave way. The host is what runs the tasks: package runtime of
// a checked program, or a test. The host asks for a choice whenever the running task
// ends, blocks or gives way, and, if the strategy wants that, at points: places where the
// task that runs could go on but another one may run first.
//
// # Strategies
//
// A [Strategy] hears what happens (Fork, Ready, End) and answers two questions: whether
// the running task goes on at a point (Stay), and who runs now (Next).
//
//	Serial  serial.go  depth-first: a child runs at once, its parent goes on behind it
//	Random  random.go  each ready task is as likely as any other; a seed makes it repeatable
//	Replay  replay.go  the choices of a recorded run, Serial's behind the last of them
//
// With [PointsLocks] the only points are those where a task is about to take a lock, and
// [Locks] keeps tasks from running whose lock is held. The search through the orders of
// critical sections is no strategy of its own: package detector/schedule/dfs runs a program
// again and again, each time with Replay and the beginning of an order that it wants to see.
//
// With [PointsStops] a record says how far a task runs (stop.go): an order of events that
// nobody has run yet becomes a schedule so.
//
// # Depth-first order
//
// In a serial depth-first execution a go statement is a call. [Tasks] keeps all living
// tasks in a list in which the parts that are left of them would come in that execution:
// a new child stands immediately in front of its parent. Labels that grow along the list
// tell which of two tasks comes first in constant time; order.go has the algorithm, the
// second of M. A. Bender, R. Cole, E. D. Demaine, M. Farach-Colton, J. Zito, Two
// Simplified Algorithms for Maintaining Order in a List, ESA 2002, with thresholds in
// integers.
//
// Serial always runs the first of the ready tasks in that list. As long as nobody blocks
// this is a stack of parents; a task that was woken continues as soon as the running one
// ends or blocks and nobody in front of it can run.
//
// # Names
//
// Numbers of goroutines differ from run to run. A task is named by the way in which it
// was made: main, main.3 for the third task that main made, main.3.1. A path of many
// parts is cut: after maxPath parts a task gets a number, @1, and its descendants'
// names begin with that. Tasks that no task made (functions of timers, calls from C) are
// called outside.1, outside.2. Paths are compared by their 64-bit hashes.
//
// # Memory
//
// This text becomes a part of package runtime as well (see package rt): it imports
// nothing but unsafe, allocates no Go memory and keeps 32-bit numbers where it would
// otherwise keep pointers. A task takes one record of fixed size, which is used again when
// the task and the tasks that it made have ended; a chain of tasks in which each makes the
// next one keeps at most maxPath records of ended tasks alive.
//
// The strategies are files of one package, not packages: package runtime gets their text
// under one prefix, and they share the table of tasks and its order.
package schedule
