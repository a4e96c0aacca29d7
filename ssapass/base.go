package ssapass

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Sync says what a piece of code may do to other tasks' order and to its own.
type Sync uint16

const (
	MayRelease Sync = 1 << iota // go, send, close, unlock, Done, atomic store, ...
	MayAcquire                  // receive, lock, Wait, atomic load, ...
	MaySpawn                    // starts a task, or hands a function to code that may
	MayBlock
	MayLock    // changes the set of locks held, also if it restores it
	MayPanic   // by a panic of its own or a run-time error
	MayRecover // calls recover
	MayGoexit
	MayExit     // ends the program
	CallsUnseen // calls code that is not analysed and may do anything
)

// anything is what code not seen may do.
const anything = MayRelease | MayAcquire | MaySpawn | MayBlock | MayLock | MayPanic | MayGoexit | MayExit | CallsUnseen

const (
	acquire = MayAcquire | MayBlock
	release = MayRelease | MayPanic
	both    = acquire | release
)

// syncTable is what the functions of package sync do as the detector sees it,
// whose hooks hide the atomics they are made of. What functions that they are
// given do is added.
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

// syncOf looks f up in syncTable.
func syncOf(f *ssa.Function) (s Sync, ok bool) {
	if p := packageOf(f); p != nil && (p.Path() == "sync" || p.Path() == "internal/sync") {
		s, ok = syncTable[f.String()]
	}
	return s, ok
}

// is reports whether f is the function or method called name, as f.String would give
// it; to spell that out for every function takes long.
func is(f *ssa.Function, name string) bool {
	return strings.HasSuffix(name, f.Name()) && f.String() == name
}

// external is what a function without a body may do.
type externalEffect struct {
	sync   Sync
	memory bool // may read and write all that escaped
}

// bodyless tells what f, which has no body here, may do besides working on what
// its arguments point to.
func bodyless(f *ssa.Function) externalEffect {
	path := ""
	if p := packageOf(f); p != nil {
		path = p.Path()
	}
	if o := f.Origin(); o != nil {
		f = o
	}
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
		// The function runs ordered behind everything done before; what it
		// touches is accounted for where it is listed as a task.
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
	case "internal/abi": // addresses of functions
		return externalEffect{}
	case "internal/runtime/maps": // hash and equality of keys are the compiler's
		return externalEffect{MayPanic, true}
	case "reflect", "internal/reflectlite":
		if name == "call" || name == "callMethod" || strings.Contains(name, "Call") {
			return externalEffect{anything, true}
		}
		// Moves values, selects, sends, receives.
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
		return externalEffect{sync: MayAcquire | MayRelease | MayBlock} // the runtime's semaphores and system calls
	case pure && path != "runtime":
		return externalEffect{sync: MayAcquire | MayRelease | MayBlock}
	}
	return externalEffect{MayAcquire | MayRelease | MayBlock | MayPanic | spawn, true}
}

// arithmetic lists trees of packages whose assembly only computes.
var arithmetic = map[string]bool{"math": true, "crypto": true}

// numbers reports whether t holds no pointers.
func numbers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Array:
		return numbers(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if !numbers(u.Field(i).Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// pureBytes reports whether t points to memory without pointers.
func pureBytes(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return numbers(u.Elem())
	case *types.Slice:
		return numbers(u.Elem())
	}
	return false
}
