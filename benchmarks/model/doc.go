// Package model executes models of parallel programs and tells a detector what
// happens: forks, ends, scopes, promises and accesses, without compiler or runtime.
//
// A model is a function of tasks as closures, like the program that it stands for,
// but it says its accesses instead of making them. It is executed depth-first, one
// task at a time, as serial detectors want: a child runs when it is forked, until it
// ends or waits; then its parent goes on. A Set lets the tasks that wait for the
// promise run at once, in the order of waiting, and then goes on.
package model
