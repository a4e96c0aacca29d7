package oracle

import (
	"slices"
	"testing"
)

// sites lists sites of accesses.
type sites []uintptr

// traces are short traces that explain the orders. Each lists the sites whose accesses
// race, or are predicted to race, with an earlier one.
var traces = []struct {
	name            string
	trace           string
	race, predicted sites
	all             sites // predicted with Options.All
}{
	{name: "an atomic load and a later store in two sections of a lock order what follows", all: sites{2}, trace: `
		0 fork 1
		1 lock l; 1 atomic-read x:4; 1 write x+64 @1; 1 unlock l
		0 lock l; 0 atomic-write x:4; 0 unlock l; 0 write x+64 @2`},
	{name: "a task that is forked in a section takes the lock after it", all: sites{2}, trace: `
		0 lock l; 0 fork 1; 0 write x @1; 0 unlock l
		1 lock l; 1 unlock l; 1 write x @2`},
	{name: "a grandchild too", all: sites{2}, trace: `
		0 lock l; 0 fork 1; 1 fork 2; 0 write x @1; 0 unlock l
		2 lock l; 2 unlock l; 2 write x @2`},
	{name: "readers are in their sections together", race: sites{2}, trace: `
		0 rlock l; 0 fork 1; 0 write x @1; 0 runlock l
		1 rlock l; 1 runlock l; 1 write x @2`},
	{name: "the receiver of a message out of a section takes the lock after it", all: sites{2}, trace: `
		0 fork 1; 0 lock l; 0 release o; 0 write x @1; 0 unlock l
		1 acquire o; 1 lock l; 1 unlock l; 1 write x @2`},
	{name: "or receives the message while it has the lock", all: sites{2}, trace: `
		0 fork 1; 0 lock l; 0 release o; 0 write x @1; 0 unlock l
		1 lock l; 1 acquire o; 1 unlock l; 1 write x @2`},
	{name: "but not if it receives the message later", predicted: sites{2}, all: sites{2}, trace: `
		0 fork 1; 0 lock l; 0 release o; 0 write x @1; 0 unlock l
		1 lock l; 1 unlock l; 1 acquire o; 1 write x @2`},
	{name: "the end of one section tells the beginning of another one", all: sites{2}, trace: `
		0 fork 1; 0 fork 2; 0 fork 3
		0 rlock l; 1 rlock l; 2 rlock l; 2 release o; 1 release o+8; 2 acquire o+8; 0 release o+16; 1 acquire o+16
		0 write x @1; 0 runlock l; 1 runlock l; 2 runlock l
		3 acquire o; 3 lock l; 3 unlock l; 3 write x @2`},
	{name: "a task that acquires everything still knows it after an acquire", trace: `
		0 fork 1; 0 fork 2; 0 fork 3
		1 release o; 2 acquire o; 0 write x @1
		1 acquire-all; 3 release o+8; 2 acquire o+8; 2 release o; 1 acquire o; 1 write x @2`},
	{name: "and hands it on", trace: `
		0 fork 1; 0 fork 2
		1 release o; 2 acquire o; 0 write x @1
		1 acquire-all; 1 release o; 2 acquire o; 2 write x @2`},
	{name: "sections that take the same inner lock are not ordered by it", predicted: sites{2}, all: sites{2}, trace: `
		0 fork 1
		1 lock l; 1 lock-word x:4; 1 write x+64 @1; 1 unlock l
		0 lock l; 0 lock-word x:4; 0 unlock l; 0 write x+64 @2`},
	{name: "a use in a section that another task ends stands for no earlier one", all: sites{2}, trace: `
		0 fork 1; 0 write x @1; 0 lock l; 0 order-read o:1; 0 unlock l; 0 lock l+8; 0 lock l; 0 order-read o:1
		1 unlock l; 1 lock l; 1 order-atomic-write o:1; 1 read x @2`},
	{name: "a reader that ends in its section is in it, and not a later task in its slot", predicted: sites{2}, all: sites{2}, trace: `
		0 fork 1
		1 lock l; 1 read x @1; 1 unlock l
		0 fork 2
		2 rlock l; 2 end
		0 fork 3; 0 meet 3; 0 fork 4
		4 rlock l; 4 runlock l; 4 release o
		3 acquire o; 3 write x @2`},
	{name: "a lock passed on by a slot with two tasks, the first of which is forgotten", predicted: sites{2}, all: sites{2}, trace: `
		0 fork 1
		1 exchange l+136; 1 write x @1; 1 fork 2
		2 lock l+16; 2 unlock l+16; 2 end
		0 sweep; 0 fork 3
		3 merge l+136
		0 acquire l+136; 0 fork 4
		4 lock l+16; 4 unlock l+16
		0 fork 5
		5 lock l+16; 5 release o
		0 acquire o; 0 write x @2`},
	{name: "siblings", race: sites{2, 3}, trace: `
		0 fork 1; 0 fork 2
		1 write x @1
		2 write x @2
		0 write x @3`},
	{name: "joined through an object", trace: `
		0 fork 1
		1 write x @1; 1 merge l; 1 end
		0 acquire l; 0 write x @2`},
	{name: "what follows a release is not released", race: sites{2}, trace: `
		0 fork 1
		1 merge l; 1 write x @1
		0 acquire l; 0 write x @2`},
	{name: "an exchange leaves only what was known before it", race: sites{2}, trace: `
		0 fork 1; 0 fork 2
		1 write x @1; 1 release l
		2 exchange l
		0 acquire l; 0 write x @2`},
	{name: "a release replaces", race: sites{2}, trace: `
		0 fork 1; 0 fork 2
		1 write x @1; 1 release l
		2 release l
		0 acquire l; 0 write x @2`},
	{name: "separated by an accident of locks", predicted: sites{2}, all: sites{2}, trace: `
		0 fork 1; 0 fork 2
		1 write x @1; 1 lock l; 1 unlock l
		2 lock l; 2 unlock l; 2 write x @2`},
	{name: "handed over in conflicting sections", all: sites{2}, trace: `
		0 fork 1; 0 fork 2
		1 write x @1; 1 lock l; 1 write x+64 @5; 1 unlock l
		2 lock l; 2 write x+64 @6; 2 unlock l; 2 write x @2`},
	{name: "what follows the conflict in the section is handed over too", all: sites{2}, trace: `
		0 fork 1; 0 fork 2
		1 lock l; 1 write x+64 @5; 1 lock l+8; 1 unlock l+8; 1 write x @1; 1 unlock l
		2 lock l; 2 write x+64 @6; 2 unlock l; 2 write x @2`},
	{name: "readers do not exclude one another", race: sites{2}, trace: `
		0 fork 1; 0 fork 2
		1 rlock l; 1 write x @1; 1 runlock l
		2 rlock l; 2 write x @2; 2 runlock l`},
	{name: "a reader after a writer", trace: `
		0 fork 1; 0 fork 2
		1 lock l; 1 write x @1; 1 unlock l
		2 rlock l; 2 write x @2; 2 runlock l`},
	{name: "a lock unlocked by another task is a message", trace: `
		0 fork 1; 0 lock l; 0 fork 2
		2 write x @1; 2 unlock l
		1 lock l; 1 write x @2`},
	{name: "a shared hold ends with the last reader after a stray unlock", predicted: sites{2}, all: sites{2}, trace: `
		0 fork 1; 0 fork 2; 0 lock l; 0 write x @1; 0 unlock l
		1 rlock l; 1 write x+64 @5
		2 runlock l
		1 write x @2`},
	{name: "so it does if the last to go held it longest", predicted: sites{2}, all: sites{2}, trace: `
		0 fork 1; 0 fork 2; 0 lock l; 0 write x @1; 0 unlock l
		1 rlock l; 1 rlock l
		2 runlock l
		1 write x+64 @5; 1 runlock l; 1 write x @2`},
	{name: "a section ends in the task to which its lock was handed over", trace: `
		0 fork 1
		1 lock l; 1 write x @1; 1 unlock l
		0 lock l; 0 fork 2
		2 write x @2; 2 unlock l`},
	{name: "an access behind that end is outside", predicted: sites{2}, all: sites{2}, trace: `
		0 fork 1
		1 lock l; 1 write x @1; 1 unlock l
		0 lock l; 0 fork 2
		2 unlock l; 2 write x @2`},
	{name: "an access for which the end does not wait is outside", predicted: sites{2}, all: sites{2}, trace: `
		0 fork 1
		1 lock l; 1 write x @1; 1 unlock l
		0 lock l; 0 fork 2
		2 write x @2
		0 unlock l`},
	{name: "so is one of the task that has handed the lock over", predicted: sites{2}, all: sites{2}, trace: `
		0 fork 1
		1 lock l; 1 write x @1; 1 unlock l
		0 lock l; 0 fork 2; 0 write x @2
		2 unlock l`},
	{name: "and so is each of a row", predicted: sites{2}, all: sites{2, 2, 2, 2}, trace: `
		0 fork 1
		1 lock l; 1 write x:32 @1; 1 unlock l
		0 lock l; 0 fork 2; 0 write x @2; 0 write x+8 @2; 0 write x+16 @2; 0 write x+24 @2
		2 unlock l`},
	{name: "a section around tasks that were forked and joined in it", trace: `
		0 fork 1; 0 fork 2
		1 lock l; 1 fork 3
		3 write x @1; 3 merge o
		1 acquire o; 1 unlock l
		2 lock l; 2 write x @2; 2 unlock l`},
	{name: "what a section hands over reaches the task to which its lock was handed over", all: sites{2}, trace: `
		0 fork 1
		1 write x @1; 1 lock l; 1 write x+64 @5; 1 unlock l
		0 lock l; 0 fork 2
		2 write x+64 @6; 2 unlock l; 2 write x @2`},
	{name: "readers that others let go", predicted: sites{3}, all: sites{3}, trace: `
		0 fork 1
		1 lock l; 1 write x @1; 1 unlock l
		0 rlock l; 0 rlock l; 0 fork 2; 0 fork 3
		2 read x @2; 2 runlock l
		3 runlock l; 3 read x @3`},
	{name: "a nested shared hold of which another task ends the rest", trace: `
		0 fork 1; 0 fork 2
		1 rlock l; 1 rlock l; 1 read x @1; 1 runlock l
		2 runlock l
		0 lock l; 0 write x @2; 0 unlock l`},
	{name: "what a forgotten parent knew when it forked", trace: `
		0 fork 1; 0 fork 2; 0 fork 3
		1 write x @1; 1 release l
		2 acquire l
		3 acquire l; 3 fork 4; 3 end; 0 sweep
		4 release l+8
		0 acquire l+8; 0 write x @2`},
	{name: "an access repeated under a lock", all: sites{6, 2}, trace: `
		0 fork 1; 0 fork 2
		1 write x+64 @5; 1 lock l; 1 write x+64 @5; 1 write x @1; 1 unlock l
		2 lock l; 2 write x+64 @6; 2 unlock l; 2 write x @2`},
	{name: "a place known without locks is another under them", all: sites{6, 2}, trace: `
		0 fork 1; 0 fork 2
		1 write x+64 @5; 0 invalidate
		1 write x+64 @5; 1 lock l; 1 write x @1; 1 write x+64 @5; 1 unlock l
		2 lock l; 2 write x+64 @6; 2 unlock l; 2 write x @2`},
	{name: "a place known under a lock is another when it was taken away", predicted: sites{2}, all: sites{2}, trace: `
		0 fork 1; 0 fork 2; 0 fork 3
		1 lock l; 1 write x @1; 0 invalidate
		1 write x @1
		2 unlock l; 0 invalidate
		1 write x @1; 1 lock l+8; 1 unlock l+8
		3 lock l+8; 3 unlock l+8; 3 lock l; 3 write x @2`},
	{name: "memory made anew has no past, and no locks", race: sites{3}, trace: `
		0 fork 1; 0 fork 2
		1 write x @1; 1 lock x+8; 1 write x+64 @5; 1 unlock x+8
		0 alloc x:16
		2 write x @2; 2 lock x+8; 2 write x+64 @3; 2 unlock x+8`},
	{name: "a place known before its memory was freed and written again", race: sites{1}, trace: `
		0 fork 1; 0 write x @1; 0 meet 1
		1 write x+4:4 @1
		0 alloc x-8160:8192; 0 write x @1
		1 write x @1`},
	{name: "a range read again after a race with its first reading", race: sites{1, 2}, trace: `
		0 fork 1; 0 write x @1; 0 merge o
		1 acquire o; 1 read x+4:2 @2; 1 read x @2
		0 write x @1
		1 read x-8:336 @2`},
	{name: "neighbouring bytes", race: sites{3}, trace: `
		0 fork 1; 0 write x:3 @1
		1 write x+3:5 @2; 1 read x+2:2 @3`},
	{name: "atomics race with plain accesses alone", race: sites{4}, trace: `
		0 fork 1; 0 fork 2; 0 atomic-write x @1
		1 atomic-write x @2; 1 atomic-read x @3
		2 read x @4`},
	{name: "a read stands for no write", race: sites{3}, trace: `
		0 fork 1; 0 write x @1; 0 read x @2
		1 read x @3`},
	// The clock that returns to task 0 knows task 2 only as its owner's parent.
	{name: "a clock that comes back from one who knows more without an entry", trace: `
		0 fork 1; 1 fork 2
		0 lock l+64
		2 read x @2; 2 fork 3
		3 meet 0; 3 release l
		0 read x @1; 0 acquire l; 0 fork 4; 4 fork 5
		5 write x @3`},
	{name: "a clock that replaces one whose owner has forked", trace: `
		0 fork 1; 0 fork 2; 2 fork 3
		1 write x @1; 1 fork 4
		3 merge o
		0 acquire o
		3 release o+8
		4 acquire o
		2 acquire o+8
		4 fork 5
		2 merge o+16
		4 acquire o+16; 4 fork 6
		6 write x @1`},
	// Only the second section of the first lock would tell the last writer of the quiet section, and
	// it does not surround the write.
	{name: "a lasting section that is known through one that does not surround", predicted: sites{2}, all: sites{2}, trace: `
		0 fork 1
		1 lock l; 1 lock l+8; 1 write x @1; 1 unlock l; 1 quiet-lock l; 1 unlock l+8
		0 lock l+8; 0 fork 2; 2 fork 3
		3 write x @2
		1 unlock l+8`},
}

// sitesOf returns the sites of the accesses with a finding.
func sitesOf(trace []Event, found map[int]*Finding, predicted bool) (s sites) {
	for i, v := range trace {
		if f := found[i]; f != nil && (predicted && f.Predicted != nil || !predicted && f.Race != nil) {
			s = append(s, v.Site)
		}
	}
	return s
}

func TestTraces(t *testing.T) {
	for _, c := range traces {
		trace, err := Parse(c.trace)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if again, err := Parse(Format(trace)); err != nil || !slices.Equal(again, trace) {
			t.Errorf("%s: read again: %v, %v", c.name, again, err)
		}
		if n := len(Legal(trace)); n != len(trace) {
			t.Errorf("%s: only %d of %d events are legal", c.name, n, len(trace))
			continue
		}
		for _, m := range modes {
			found, _ := Replay(trace, m.o)
			if got := sitesOf(trace, found, false); !slices.Equal(got, c.race) {
				t.Errorf("%s, %s: races at %v, want %v", c.name, m.name, got, c.race)
			}
			want := c.predicted
			if m.o.All {
				want = c.all
			} else if m.o.NoPredict {
				want = nil
			}
			if got := sitesOf(trace, found, true); !slices.Equal(got, want) {
				t.Errorf("%s, %s: predictions at %v, want %v", c.name, m.name, got, want)
			}
			if err := Check(trace, m.o, nil); err != nil {
				t.Errorf("%s, %s: %v", c.name, m.name, err)
			}
		}
	}
}
