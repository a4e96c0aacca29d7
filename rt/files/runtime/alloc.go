//go:build taskinstr_runtime

// Which call of the program allocates memory.

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// tr_allocates is the hook of an access that is the allocation of the memory.
const tr_allocates = "allocation"

// tr_noSite stands for the sites of allocations, which have no table. The zeros in front of it are no table's head.
var tr_noSite struct {
	_    [unsafe.Sizeof(tr_sites{})]byte
	site uint32
}

//go:nosplit
func tr_newSite() uintptr { return uintptr(unsafe.Pointer(&tr_noSite.site)) }

// The kinds of callers of an allocation.
const (
	tr_allocPart    = 1 + iota // part of the allocation
	tr_allocForeign            // the runtime, or code without checks
	tr_allocProgram            // code with checks
	tr_allocKinds
)

// tr_allocCalls is the number of calls among which the program's is looked for.
const tr_allocCalls = 6

// tr_allocParts are the functions of the runtime that allocate for the program.
var tr_allocParts = [...]string{
	"runtime.mallocgc", "runtime.racemalloc", "runtime.newobject", "runtime.newarray", "runtime.makeslice", "runtime.makeslice64",
	"runtime.makeslicecopy", "runtime.growslice", "runtime.rawbyteslice", "runtime.stringtoslicebyte", "runtime.mallocgcSmallNoscan",
	"runtime.mallocgcSmallScanNoHeader", "runtime.mallocgcSmallScanHeader", "runtime.mallocgcTiny",
	"runtime.taskinstr_fresh",
}

var tr_allocCallers struct {
	lock   uint32
	n      int
	tables uintptr         // the addresses of the n tables of sites, once they have been looked for
	kinds  [1 << 12]uint64 // by return address: the address, times 4, and the kind
}

// tr_allocKind returns the entry for a return address.
//
//go:nosplit
func tr_allocKind(pc uintptr) *uint64 {
	return &tr_allocCallers.kinds[(pc^pc>>12)%uintptr(len(tr_allocCallers.kinds))]
}

// tr_programCall returns the frame whose return address lies in the program's call of an allocation; 0 if code
// without checks allocates. fp is the frame of a hook.
//
//go:nosplit
func tr_programCall(gp *g, fp uintptr) uintptr {
	for range tr_allocCalls {
		pc, up := *(*uintptr)(unsafe.Pointer(fp + 8)), *(*uintptr)(unsafe.Pointer(fp))
		if up <= fp || up >= gp.stack.hi-16 {
			return 0
		}
		k := uintptr(atomic.Load64(tr_allocKind(pc)))
		if k/tr_allocKinds != pc {
			systemstack(func() { k = tr_allocCaller(pc) })
		}
		switch k % tr_allocKinds {
		case tr_allocProgram:
			return fp
		case tr_allocForeign:
			return 0
		}
		fp = up
	}
	return 0
}

// tr_allocCaller finds the kind of the caller at a return address.
func tr_allocCaller(pc uintptr) uintptr {
	k := uintptr(tr_allocForeign)
	if f := findfunc(pc); f.valid() {
		name := funcname(f)
		if !tr_hasPrefix(name, "runtime.") && !tr_hasPrefix(name, "internal/runtime/") {
			if k = tr_allocCode(f, pc); tr_hasPrefix(name, "reflect.unsafe_New") {
				k = tr_allocPart
			}
		} else {
			for _, part := range tr_allocParts {
				if name == part {
					k = tr_allocPart
				}
			}
		}
	}
	k += pc * tr_allocKinds
	atomic.Store64(tr_allocKind(pc), uint64(k))
	return k
}

// tr_allocCode finds the kind of a caller outside of the runtime. Functions that taskinstr adds to packages are parts
// of the allocation.
func tr_allocCode(f funcInfo, pc uintptr) uintptr {
	for u, uf := newInlineUnwinder(f, pc-1); uf.valid(); uf = u.next(uf) {
		file, _ := u.fileLine(uf)
		switch {
		case tr_hasTable(file):
			return tr_allocProgram
		case !tr_hasPrefix(file, "taskinstr/rt/"):
			return tr_allocForeign
		}
	}
	return tr_allocPart
}

// tr_hasTable reports whether the package in whose folder a file lies has checks.
func tr_hasTable(file string) bool {
	folder := len(file)
	for folder > 0 && file[folder-1] != '/' {
		folder--
	}
	c := &tr_allocCallers
	me_Lock(&c.lock)
	if c.tables == 0 {
		tr_findTables()
	}
	found := false
	for i := 0; i < c.n && !found; i++ {
		b := (*(**tr_sites)(unsafe.Pointer(c.tables + uintptr(i)*8))).blob
		if len(b) > folder && b[:folder] == file[:folder] {
			i := folder
			for i < len(b) && b[i] != '/' && b[i] != ':' {
				i++
			}
			found = i < len(b) && b[i] == ':'
		}
	}
	me_Unlock(&c.lock)
	return found
}

// tr_findTables makes the list of all tables of sites.
func tr_findTables() {
	c := &tr_allocCallers
	n := 0
	tr_eachTable(func(*tr_sites) { n++ })
	c.tables = uintptr(persistentalloc(uintptr(n+1)*8, 8, &memstats.other_sys))
	tr_eachTable(func(h *tr_sites) {
		*(*uintptr)(unsafe.Pointer(c.tables + uintptr(c.n)*8)) = uintptr(unsafe.Pointer(h))
		c.n++
	})
}
