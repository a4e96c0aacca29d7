package pace

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

var sink [][]byte

// setting returns the current setting of the collector.
func setting() int {
	p := debug.SetGCPercent(100)
	debug.SetGCPercent(p)
	return p
}

// TestFollow lets the memory in use grow: the setting falls behind each collection, down to
// share, and stop restores the setting from before.
func TestFollow(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before := setting()
	stop := Follow()
	defer func() { stop(); sink = nil }()
	first := setting()
	if first <= share {
		t.Errorf("a small heap: %d %%", first)
	}
	for range 8 {
		sink = append(sink, make([]byte, room/4))
	}
	falls := func() bool {
		for range 100 {
			runtime.GC()
			time.Sleep(time.Millisecond) // the finalizer has a goroutine of its own
			if setting() == share {
				return true
			}
		}
		return false
	}
	if !falls() {
		t.Errorf("with %d bytes in use: %d %%, want %d %%", live(), setting(), share)
	}
	stop()
	if p := setting(); p != before {
		t.Errorf("behind stop: %d %%, want %d %%", p, before)
	}
	runtime.GC()
	time.Sleep(10 * time.Millisecond)
	if p := setting(); p != before {
		t.Errorf("behind stop and a collection: %d %%, want %d %%", p, before)
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("GOGC", "70")
	before := setting()
	Follow()()
	if p := setting(); p != before {
		t.Errorf("GOGC is set: %d %%, want %d %%", p, before)
	}
}
