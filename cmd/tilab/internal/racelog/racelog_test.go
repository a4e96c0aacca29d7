package racelog

import (
	"reflect"
	"testing"
)

func TestParse(t *testing.T) {
	const log = `==================
WARNING: DATA RACE
Write at 0x00c000018459 by goroutine 15:
  main.f()
      /a/b.go:51 +0x4e
  main.g()
      /a/b.go:60 +0x4e

Previous read at 0x00c000018459 by main goroutine:
  sync/atomic.AddInt32()
      /go/asm.s:3 +0x4e
  sync.(*Mutex).Lock()
      /go/sync.go:7 +0x4e

Goroutine 15 (running) created at:
  main.main()
      /a/b.go:50 +0x2fc
==================
--- FAIL
==================
WARNING: PREDICTED DATA RACE
Read at 0x00c000018459 by goroutine 15:
  main.f()
      /a/c.go:1 +0x4e

Previous atomic write at 0x00c000018459 by goroutine 14:
  [failed to restore the stack]
==================
WARNING: something else
`
	got := Parse([]byte(log))
	if len(got) != 2 {
		t.Fatalf("%d reports: %+v", len(got), got)
	}
	if got[0].Predicted || got[0].Places != [2]string{"/a/b.go:51", "/go/sync.go:7"} {
		t.Errorf("first: %+v", got[0])
	}
	if !got[1].Predicted || got[1].Places != [2]string{"/a/c.go:1", ""} {
		t.Errorf("second: %+v", got[1])
	}
	swapped := Report{Places: [2]string{"/go/sync.go:7", "/a/b.go:51"}}
	if got := Pairs([]Report{got[0], swapped}, false); len(got) != 1 {
		t.Errorf("one race in both orders counts as %q", got)
	}
}

func TestConfirm(t *testing.T) {
	races := []Pair{{"a", "b"}, {"c", "d"}, {"e", "f"}, {"g", "h"}}
	stock := []Pair{{"a", "b"}, {"a", "d"}, {"", "f"}, {"", ""}}
	wrong, notes := Confirm(races, stock)
	if !reflect.DeepEqual(wrong, []string{"c and d", "g and h"}) || len(notes) != 2 {
		t.Errorf("wrong %q, notes %q", wrong, notes)
	}
}
