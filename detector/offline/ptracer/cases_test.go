package ptracer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/event/eventtest"
)

// racing is a race that is due: two sites and the bytes.
type racing struct {
	first, second uint32
	addr, size    uint64
	tier          event.Tier
}

func TestCases(t *testing.T) {
	const x = 0x7ff0_c0de_0000 // too large for 32 bits
	many := func(word string) string {
		var b strings.Builder
		for i := range 100 {
			fmt.Fprintf(&b, "0 %s %d\n", word, 0x1000+8*i)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		trace string // between the fork of task 1 and its end
		want  []racing
	}{
		"main races with its child":          {"0 write x @1; 1 read x+2:2 @2", []racing{{1, 2, x + 2, 2, event.TierRace}}},
		"main after a finish":                {"0 begin 6; 0 fork 2; 2 write x @1; 2 end 6; 0 finish 6; 0 write x @2", nil},
		"addresses that differ in high bits": {"0 write x @1; 1 write x-0x100000000 @2", nil},
		"a range over a page's end":          {"0 write x:9000 @1; 1 read x+1:8999 @2", []racing{{1, 2, x + 1, 8999, event.TierRace}}},
		"the seventieth of a hundred locks protects": {
			many("lock") + "0 write x @1\n" + many("unlock") + // first in, first out
				"1 lock 0x1228; 1 write x @2; 1 unlock 0x1228", nil,
		},
		"readers of a lock do not exclude each other": {
			"0 rlock 8; 1 rlock 8; 0 read x:4 @1; 1 write x:4 @2; 0 runlock 8; 1 runlock 8",
			[]racing{{1, 2, x, 4, event.TierRace}},
		},
		"fresh memory, in the same step": {"1 write x @1; 0 free x; 0 alloc x; 0 write x @2", nil},
		"an access that is repeated in fresh memory": {
			"1 write x @1; 0 alloc x; 1 write x @2; 0 write x @3", []racing{{2, 3, x, 8, event.TierRace}},
		},
		"a possible access under a lock of its side": {
			`0 lock 8; 0 write x @1; 0 unlock 8
			1 branch 1 @2; 1 may-write x @3 of 1 under 8; 1 may-read x:4 @4 of 1; 1 may-read x:4 @5 of 1 under 9 // 8, shared
			0 write x:4 @6`,
			[]racing{{1, 4, x, 4, event.TierPossible}, {3, 6, x, 4, event.TierPossible}, {4, 6, x, 4, event.TierPossible}, {5, 6, x, 4, event.TierPossible}},
		},
		"a possible access stands for none that happened": {
			"1 write x @1; 1 may-write x @2 of 1; 0 write x @3",
			[]racing{{1, 3, x, 8, event.TierRace}, {2, 3, x, 8, event.TierPossible}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []racing
			d := newDetector(func(r event.Race) {
				got = append(got, racing{r.First.Site, r.Second.Site, r.Addr, r.Size, r.Tier})
			}, fullSizes, &diagnoser{})
			for _, e := range eventtest.Trace(t, eventtest.Names{"x": x}, "0 begin 5; 0 fork 1\n"+c.trace+"\n1 end 5; 0 finish 5") {
				d.Event(&e)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
