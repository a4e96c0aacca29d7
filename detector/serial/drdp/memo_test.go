package drdp

import (
	"fmt"
	"slices"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
	"taskinstr/detector/serial"
)

// sweep is a place of a script at which Sweep runs.
const sweep = event.Op(255)

// races returns the pairs of sites that the engine reports for a script.
func races(script []event.Event) []string {
	var got []string
	d := newOnTrace(event.Config{Report: func(r event.Race) {
		got = append(got, fmt.Sprintf("%#x+%d: %d %d", r.Addr-differential.Base, r.Size, r.First.Site, r.Second.Site))
	}}, 0)
	defer d.Close()
	for i := range script {
		if script[i].Op == sweep {
			d.e.Sweep()
			continue
		}
		d.Event(&script[i])
	}
	slices.Sort(got)
	return got
}

func read(task, site uint32, a, n uint64) event.Event {
	return event.Event{Op: event.Access, Task: task, Kind: event.Read, Addr: differential.Base + a, Size: n, Site: site}
}

func write(task, site uint32, a, n uint64) event.Event {
	e := read(task, site, a, n)
	e.Kind = event.Write
	return e
}

// fork begins n tasks that nothing orders.
func fork(n uint32) []event.Event {
	var script []event.Event
	for i := range n {
		script = append(script, event.Event{Op: event.Fork, Task: 0, Other: i + 1})
	}
	return script
}

// Words of which a task has accessed parts have equal entries and origins that differ. An
// access of them all leaves each of them its own.
func TestRangeOverParts(t *testing.T) {
	for _, access := range []func(task, site uint32, a, n uint64) event.Event{read, write} {
		trace := append(fork(2),
			access(1, 1, 4, 2),
			access(1, 2, 12, 2),
			access(1, 3, 0, 16),
			write(2, 4, 8, 8),
		)
		if err := differential.FirstRaces(spec(0), nil, trace); err != nil {
			t.Error(err)
		}
		want := []string{"0x8+4: 3 4", "0xc+2: 2 4", "0xe+2: 3 4"}
		if got := races(trace); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

// The judgements of a step hold until a sweep: then other lists get the numbers of lists that
// no word names.
func TestSweepWithinStep(t *testing.T) {
	const a, b, c = 0, 8, 16
	for _, test := range []struct {
		name   string
		script []event.Event
		want   []string
	}{
		{
			name: "an entry that reads make",
			script: append(fork(3),
				read(1, 1, a, 16),
				read(2, 2, a, 8),  // makes the entry of a into one with a list
				write(2, 3, a, 8), // which no word has now
				event.Event{Op: sweep},
				read(2, 2, c, 8), // so that the site is known again
				read(2, 2, b, 8),
				write(3, 4, b, 8),
			),
			want: []string{"0x0+8: 1 3", "0x8+8: 1 4", "0x8+8: 2 4"},
		},
		{
			name: "an entry that reads leave as it is",
			script: append(fork(4),
				read(1, 1, a, 8),
				read(2, 2, a, 8), // and so will further reads
				write(3, 3, a, 8),
				event.Event{Op: sweep},
				read(1, 4, b, 8),
				read(3, 5, b, 8), // a list of two once more
				read(2, 6, b, 8),
				write(4, 7, b, 8),
			),
			want: []string{"0x0+8: 1 3", "0x0+8: 2 3", "0x8+8: 4 7", "0x8+8: 5 7", "0x8+8: 6 7"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := races(test.script); !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// A word whose bytes have the same history again needs no cell, with a list of readers
// as with one.
func TestHeal(t *testing.T) {
	d := newOnTrace(event.Config{Report: func(event.Race) {}}, 0)
	defer d.Close()
	script := append(fork(3),
		read(1, 1, 0, 8),
		read(2, 2, 0, 4),
		read(2, 3, 4, 4), // at another place: another list
		read(3, 4, 8, 8),
		read(1, 5, 8, 4),
		read(1, 5, 12, 4),
	)
	for i := range script {
		d.Event(&script[i])
	}
	// The engine has put the memory at 0.
	if w := d.e.Inspect(0); !w.Cell {
		t.Errorf("a word with two lists has no cell: %+v", w)
	}
	w := d.e.Inspect(8)
	if w.Cell || w.Writer != 0 || !serial.IsList(w.Readers) || w.Bytes != 0xff {
		t.Errorf("a word with one list has the history %+v", w)
	}
	if w.WriterOrigin != 0 || w.ReaderOrigin != 0 {
		t.Errorf("and the origins %+v, want none", w)
	}
}
