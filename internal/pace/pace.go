// Package pace sets when a command collects garbage that builds up one large graph, and then
// ends.
//
// The collector of Go works while the program goes on. A graph of hundreds of megabytes takes
// long to mark, and meanwhile the program allocates much that counts as in use, helps to mark,
// and pays for write barriers. So the command collects at points of its own (Step), where it
// waits for the collection. Collections by the collector itself are a limit for code without
// such points.
package pace

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// The garbage that a collection waits for, in bytes and as a percentage of the memory in use:
// both at least. The first pair is for Step, the second one for the collector itself.
const (
	stepRoom  = 100 << 20
	stepShare = 30
	room      = 256 << 20
	share     = 75
)

// floor is the memory, garbage included, below which Step does not collect: a program of that
// size is no burden, and most of a command's memory comes later.
const floor = 250 << 20

var following atomic.Bool

// Step collects garbage if much has come together since the last collection. It does nothing
// unless Follow is in effect. It costs less than a microsecond if it does not collect, so a loop
// over functions may call it for each of them.
func Step() {
	if following.Load() && due(allocated(), live()) {
		runtime.GC()
	}
}

// Follow makes collections follow the memory in use, until the returned function is called:
// rare while the graph is small, and more frequent than usual when it is large, since then
// nearly all memory stays in use. Follow does nothing if GOGC or GOMEMLIMIT is set.
func Follow() (stop func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	following.Store(true)
	usual := debug.SetGCPercent(percent(live()))
	var stopped atomic.Bool
	watch(&stopped)
	return func() {
		if !stopped.Swap(true) {
			following.Store(false)
			debug.SetGCPercent(usual)
		}
	}
}

// A cycle is garbage: its finalizer runs behind the next collection.
type cycle struct{ stopped *atomic.Bool }

func watch(stopped *atomic.Bool) {
	runtime.SetFinalizer(&cycle{stopped}, func(c *cycle) {
		if !c.stopped.Load() {
			debug.SetGCPercent(percent(live()))
			watch(c.stopped)
		}
	})
}

// due reports whether Step collects with that many bytes allocated, of which the last
// collection found live in use.
func due(allocated, live uint64) bool {
	return allocated > max(floor, live+max(stepRoom, live/100*stepShare))
}

// live returns the bytes that the last collection found in use.
func live() uint64 { return metric("/gc/heap/live:bytes") }

// allocated returns the bytes in use, with the garbage since the last collection.
func allocated() uint64 { return metric("/memory/classes/heap/objects:bytes") }

func metric(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	if metrics.Read(s); s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}

// percent returns the setting of the collector for a number of bytes in use.
func percent(live uint64) int {
	const least = 4 << 20 // the collector takes no smaller heap for its base
	return max(share, int(room*100/max(live, least)))
}
