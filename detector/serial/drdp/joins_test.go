package drdp

import (
	"testing"

	"taskinstr/detector/event/eventtest"
	"taskinstr/detector/offline/differential"
)

// A place that a task of a scope has joined precedes the steps behind the scope, although no
// task of the scope's owner has waited for it.
func TestJoinsOfScope(t *testing.T) {
	trace := eventtest.Trace(t, eventtest.Names{"x": differential.Base}, `
		0 begin 1
		0 fork 1; 1 write x @1; 1 set 100; 1 write x+8 @2; 1 end 1
		0 begin 2; 0 fork 2; 2 get 100; 2 end 2; 0 finish 2
		0 write x @3; 0 write x+8 @4 // the second one is the only race
		0 finish 1`)
	for _, noHeirs = range []bool{false, true} {
		if err := differential.FirstRaces(spec(0), nil, trace); err != nil {
			t.Error(err)
		}
	}
}

// A task that has done nothing leaves the place where it was forked, which may be an earlier
// one than its parent has left already.
func TestTaskWithoutAccess(t *testing.T) {
	trace := eventtest.Trace(t, eventtest.Names{"x": differential.Base}, `
		0 begin 1
		0 fork 1; 1 write x @1; 1 fork 2; 1 write x+8 @2; 1 end 1
		2 end 1
		0 finish 1; 0 write x:16 @3`)
	if err := differential.FirstRaces(spec(0), nil, trace); err != nil {
		t.Error(err)
	}
}
