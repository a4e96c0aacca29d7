package ssapass

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/pointsto"
)

// Sync is the set of effects that code may have on the order of tasks and on its own
// control flow.
type Sync uint16

const (
	MayRelease Sync = 1 << iota // go, send, close, unlock, Done, atomic store, ...
	MayAcquire                  // receive, lock, Wait, atomic load, ...
	MaySpawn                    // starts a task, or passes a function to code that may start one
	MayBlock
	MayLock    // changes the set of locks held, even if it restores the set
	MayPanic   // calls panic, or has a run-time error
	MayRecover // calls recover
	MayGoexit
	MayExit     // ends the program
	CallsUnseen // calls external code that may do anything
)

// anything is the effect of external code without a contract.
const anything = MayRelease | MayAcquire | MaySpawn | MayBlock | MayLock | MayPanic | MayGoexit | MayExit | CallsUnseen

const (
	acquire = MayAcquire | MayBlock
	release = MayRelease | MayPanic
	both    = acquire | release
)

// syncTable has the effects of functions of package sync as the detector sees them: its
// hooks hide the atomic operations in their bodies. The effects of function arguments
// are added.
var syncTable = map[string]Sync{
	"(*sync.Mutex).Lock":             acquire | MayLock,
	"(*sync.Mutex).TryLock":          MayAcquire | MayLock,
	"(*sync.Mutex).Unlock":           release | MayLock,
	"(*internal/sync.Mutex).Lock":    acquire | MayLock,
	"(*internal/sync.Mutex).TryLock": MayAcquire | MayLock,
	"(*internal/sync.Mutex).Unlock":  release | MayLock,
	"(*sync.RWMutex).Lock":           acquire | MayLock,
	"(*sync.RWMutex).TryLock":        MayAcquire | MayLock,
	"(*sync.RWMutex).Unlock":         release | MayLock,
	"(*sync.RWMutex).RLock":          acquire | MayLock,
	"(*sync.RWMutex).TryRLock":       MayAcquire | MayLock,
	"(*sync.RWMutex).RUnlock":        release | MayLock,
	"(*sync.WaitGroup).Add":          MayAcquire | release,
	"(*sync.WaitGroup).Done":         MayAcquire | release,
	"(*sync.WaitGroup).Wait":         acquire,
	"(*sync.WaitGroup).Go":           MayAcquire | release | MaySpawn,
	"(*sync.Once).Do":                both,
	"(*sync.Once).doSlow":            both,
	"(*sync.Cond).Wait":              both | MayLock,
	"(*sync.Cond).Signal":            release,
	"(*sync.Cond).Broadcast":         release,
	"(*sync.Pool).Get":               MayAcquire | MayRelease,
	"(*sync.Pool).Put":               MayAcquire | MayRelease,
}

// syncOf returns the entry of f in syncTable.
func syncOf(f *ssa.Function) (s Sync, ok bool) {
	if p := packageOf(f); p != nil && (p.Path() == "sync" || p.Path() == "internal/sync") {
		s, ok = syncTable[f.String()]
	}
	return s, ok
}

// is reports whether name is f.String(). It compares the short name first, since the
// full name is expensive to build.
func is(f *ssa.Function, name string) bool {
	return strings.HasSuffix(name, f.Name()) && f.String() == name
}

// An externalEffect is the effect of a function without body.
type externalEffect struct {
	sync   Sync
	memory bool // may read and write all objects that escaped
}

// bodyless returns the effects of f, which has no body here, besides its accesses to
// the memory of its arguments.
func bodyless(f *ssa.Function) externalEffect {
	path := ""
	if p := packageOf(f); p != nil {
		path = p.Path()
	}
	f = origin(f)
	name := f.Name()
	switch f.String() {
	case "runtime.KeepAlive", "runtime.NumGoroutine", "runtime.NumCPU", "runtime.GOMAXPROCS", "runtime.Caller", "runtime.Callers",
		"runtime.FuncForPC", "runtime.CallersFrames", "(*runtime.Frames).Next", "(*runtime.Func).Name", "runtime.Stack",
		"runtime.ReadMemStats", "internal/godebug.setUpdate", "internal/godebug.registerMetric", "internal/godebug.setNewIncNonDefault":
		return externalEffect{}
	case "runtime.Goexit":
		return externalEffect{sync: MayGoexit}
	case "runtime.Gosched", "runtime.GC", "time.Sleep", "runtime.LockOSThread", "runtime.UnlockOSThread":
		return externalEffect{sync: MayBlock}
	case "os.runtime_beforeExit", "syscall.Exit", "runtime.Breakpoint":
		return externalEffect{sync: MayExit}
	case "runtime.SetFinalizer", "runtime.AddCleanup":
		// The function starts after everything that precedes this call. Its accesses
		// are counted where the analysis lists it as a task.
		return externalEffect{sync: MayRelease}
	case "internal/synctest.associate", "internal/synctest.disassociate", "internal/synctest.isAssociated":
		return externalEffect{}
	case "time.stopTimer":
		return externalEffect{sync: MayAcquire | MayRelease | MayBlock}
	}
	switch path {
	case "sync/atomic", "internal/runtime/atomic":
		switch {
		case strings.HasPrefix(name, "Load"):
			return externalEffect{sync: MayAcquire}
		case strings.HasPrefix(name, "Store"):
			return externalEffect{sync: MayRelease}
		}
		return externalEffect{sync: MayAcquire | MayRelease}
	case "internal/abi": // addresses of functions only
		return externalEffect{}
	case "internal/runtime/maps": // the compiler generates the hash and equality of keys
		return externalEffect{MayPanic, true}
	case "reflect", "internal/reflectlite":
		if name == "call" || name == "callMethod" || strings.Contains(name, "Call") {
			return externalEffect{anything, true}
		}
		// These functions copy values, select, send, and receive.
		return externalEffect{MayAcquire | MayRelease | MayBlock | MayPanic, true}
	case "internal/race":
		return externalEffect{sync: MayAcquire | MayRelease}
	}
	spawn := Sync(0)
	pure := true
	for i := range f.Signature.Params().Len() {
		t := f.Signature.Params().At(i).Type()
		if !numbers(t) {
			pure = false
			if !pureBytes(t) {
				spawn = MaySpawn
			}
		}
	}
	if arithmetic[strings.SplitN(path, "/", 2)[0]] || strings.HasPrefix(path, "internal/bytealg") || strings.HasPrefix(path, "hash/") {
		return externalEffect{}
	}
	switch {
	case path == "sync" || path == "internal/sync" || path == "internal/poll" || path == "syscall" || path == "os" || path == "internal/syscall/unix" || f.String() == "internal/godebug.write":
		return externalEffect{sync: MayAcquire | MayRelease | MayBlock} // semaphores of the runtime, and system calls
	case pure && path != "runtime":
		return externalEffect{sync: MayAcquire | MayRelease | MayBlock}
	}
	return externalEffect{MayAcquire | MayRelease | MayBlock | MayPanic | spawn, true}
}

// arithmetic lists package trees whose assembly only computes.
var arithmetic = map[string]bool{"math": true, "crypto": true}

// numbers reports whether values of type t hold no pointers.
func numbers(t types.Type) bool {
	return pointsto.Consists(t, func(b *types.Basic) bool { return b.Kind() != types.UnsafePointer })
}

// pureBytes reports whether t points to memory that holds no pointers.
func pureBytes(t types.Type) bool {
	u := pointsto.Target(t)
	return u != t && numbers(u)
}
