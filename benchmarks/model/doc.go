// Package model executes models of parallel programs and passes their events to a
// detector: forks, ends, scopes, promises and accesses, without compiler or runtime.
//
// A model is a function on tasks, with closures as in the modelled program, but it
// declares its accesses instead of making them. It is executed depth-first, one task at a
// time, as serial detectors require: a child runs when it is forked, until it ends or
// waits; then its parent continues. A Set runs the tasks that wait for the promise at
// once, in the order of waiting, and then returns.
package model
