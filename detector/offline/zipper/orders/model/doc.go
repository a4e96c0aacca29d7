// Package model runs small parallel programs in a controlled order, with the values of
// their variables, and records their events. They are programs for package
// detector/offline/zipper/orders that need no build of their own.
//
// A program is a Go function on a [Task]. Tasks share the contents of [Ints], which they
// read and write through their Task. The same choices give the same trace. Each task is a
// coroutine; one of them runs at a time.
//
// [Runner] lets tasks run, a child before its parent, until all have ended, wait for
// others or are about to enter an isolated section. [Interleave] chooses the next task
// before every single event.
package model
