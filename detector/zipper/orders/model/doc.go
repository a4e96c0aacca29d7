// Package model runs small parallel programs in a controlled order, with the values
// of their variables, and records their events: programs for package
// detector/zipper/orders that need no build of their own.
//
// A program is a Go function on a [Task]; what tasks share lies in [Ints], which they
// read and write through their Task. The same choices give the same trace. A task's
// functions run on a coroutine; one of them runs at a time.
//
// [Runner] lets tasks run, a child before its parent, until all have ended, wait for
// others or stand in front of an isolated section; [Interleave] asks who is next
// before every single event.
package model
