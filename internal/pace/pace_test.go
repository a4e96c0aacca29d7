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

func TestDue(t *testing.T) {
	for _, c := range []struct {
		allocated, live uint64 // in MB
		want            bool
	}{
		{249, 10, false},  // below floor
		{251, 10, true},   // above
		{399, 300, false}, // less than stepRoom
		{401, 300, true},
		{1299, 1000, false}, // less than stepShare
		{1301, 1000, true},
	} {
		if got := due(c.allocated<<20, c.live<<20); got != c.want {
			t.Errorf("%d MB, %d of them in use: %v", c.allocated, c.live, got)
		}
	}
}

// TestStep collects while Follow is in effect, and not before or behind it.
func TestStep(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer func() { sink = nil }()
	collections := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumGC
	}
	runtime.GC()
	for allocated() < 2*floor {
		sink = append(sink[:0], make([]byte, room/8))
	}
	before := collections()
	Step()
	if n := collections(); n != before {
		t.Error("Step collects without Follow")
	}
	stop := Follow()
	Step()
	if n := collections(); n == before {
		t.Errorf("no collection with %d bytes, %d of them in use", allocated(), live())
	}
	stop()
}
