// Package pace sets how often a command collects garbage that builds up one large graph,
// and then ends.
package pace

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

const (
	room  = 256 << 20 // bytes of garbage that a collection waits for, at least
	share = 50        // and at least this percentage of the memory in use
)

// Follow makes collections follow the memory in use, until the returned function is called:
// rare while the graph is small, and more frequent than usual when it is large, since then
// nearly all memory stays in use. Follow does nothing if GOGC or GOMEMLIMIT is set.
func Follow() (stop func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	usual := debug.SetGCPercent(percent(live()))
	var stopped atomic.Bool
	watch(&stopped)
	return func() {
		if !stopped.Swap(true) {
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

// live returns the bytes that the last collection found in use.
func live() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
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
