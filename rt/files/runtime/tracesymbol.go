//go:build taskinstr_runtime

// The definitions of a trace: strings, locations, calling contexts, places. Each is
// written before the first event that names it. tr_trace.lock is held.

package runtime

import (
	"internal/abi"
	"unsafe"
)

func tr_traceMeta(name, value string) {
	a, b := tr_traceString(name), tr_traceString(value)
	tr_traceRoom(0)
	tr_trace.enc.Define(tw_Meta)
	tr_trace.enc.Number(uint64(a))
	tr_trace.enc.Number(uint64(b))
}

// tr_traceString returns the number of a string, 0 for "". A digest identifies a string.
func tr_traceString(s string) uint32 {
	x := &tr_trace
	if s == "" {
		return 0
	}
	d := tr_emptyDigest
	d.add(s)
	if i := x.strings.get(uint64(d), uint64(len(s))); i != 0 {
		return i
	}
	x.nStrings++
	tr_traceRoom(min(len(s), tw_MaxString))
	x.enc.Text(s)
	x.strings.put(uint64(d), uint64(len(s)), x.nStrings)
	return x.nStrings
}

// tr_traceLocation returns the number of an address in the program's code, 0 if it is
// none.
func tr_traceLocation(pc uintptr) uint32 {
	x := &tr_trace
	if pc == 0 {
		return 0
	}
	if i := x.locations.get(uint64(pc), 0); i != 0 {
		return i
	}
	fn := findfunc(pc)
	if !fn.valid() {
		return 0
	}
	n := tr_eachFrame(fn, pc, func(name, file string, line int, flags uint8) {
		tr_traceString(name)
		tr_traceString(file)
	})
	const parts, most = 4, 10 // numbers of a frame, bytes of a number
	tr_traceRoom(most * parts * n)
	x.enc.Define(tw_Location)
	x.enc.Number(uint64(pc - fn.entry()))
	x.enc.Number(uint64(n))
	tr_eachFrame(fn, pc, func(name, file string, line int, flags uint8) {
		x := &tr_trace
		x.enc.Number(uint64(tr_traceString(name)))
		x.enc.Number(uint64(tr_traceString(file)))
		x.enc.Number(uint64(line))
		x.enc.Number(uint64(flags))
	})
	x.nLocations++
	x.locations.put(uint64(pc), 0, x.nLocations)
	return x.nLocations
}

// tr_eachFrame calls f for each function at pc, innermost first, and returns their
// number. The flags hold the conditions that tr_frames.next and the fingerprint test.
func tr_eachFrame(fn funcInfo, pc uintptr, f func(name, file string, line int, flags uint8)) (n int) {
	if pc > fn.entry() {
		pc-- // a return address lies behind its call
	}
	for u, uf := newInlineUnwinder(fn, pc); uf.valid(); uf = u.next(uf) {
		sf := u.srcFunc(uf)
		name := tr_funcName(sf)
		inlined := u.isInlined(uf)
		flags := uint8(0)
		if tr_hidden(name, !inlined) || tr_helperAt(sf.startLine) || sf.funcID == abi.FuncIDWrapper && inlined {
			flags |= tw_FrameNever
		}
		if tr_hidden(name, false) {
			flags |= tw_FrameLeafOnly | tw_FrameHidden
		}
		if tr_synchronizes(name) {
			flags |= tw_FrameSync
		}
		if tr_ownFunc(name) {
			flags |= tw_FrameOwn
		}
		if tr_stdFunc(name) {
			flags |= tw_FrameStd
		}
		file, line := u.fileLine(uf)
		f(name, file, line, flags)
		n++
	}
	return n
}

// A tr_context caches the trace's number of a calling context of the engine.
type tr_context struct {
	id     uint32 // the engine's number
	sweeps uint32 // a sweep may reuse numbers
	stack  uint32
}

func tr_contextOf(id uint32) *tr_context {
	return (*tr_context)(unsafe.Pointer(tr_trace.contexts + uintptr(id&(tr_traceContexts-1))*unsafe.Sizeof(tr_context{})))
}

// tr_traceStack returns the trace's number of a calling context of the engine.
func tr_traceStack(id uint32) uint32 {
	x := &tr_trace
	sweeps := tr_engine.Sweeps() + 1
	n := uintptr(0)
	stack := uint32(0)
	for ; id != 0 && n < tr_traceDepth; n++ {
		if c := tr_contextOf(id); c.id == id && c.sweeps == sweeps {
			stack = c.stack
			break
		}
		*(*uint32)(unsafe.Pointer(x.chain + 4*n)) = id
		id, _ = tr_engine.Frame(id)
	}
	for n > 0 {
		n--
		id = *(*uint32)(unsafe.Pointer(x.chain + 4*n))
		_, pc := tr_engine.Frame(id)
		if l := tr_traceLocation(pc); l != 0 {
			i := x.stacks.get(uint64(stack)<<32|uint64(l), 1)
			if i == 0 {
				x.nStacks++
				i = x.nStacks
				x.stacks.put(uint64(stack)<<32|uint64(l), 1, i)
				tr_traceRoom(0)
				x.enc.Define(tw_Stack)
				x.enc.Number(uint64(stack))
				x.enc.Number(uint64(l))
			}
			stack = i
		}
		*tr_contextOf(id) = tr_context{id, sweeps, stack}
	}
	return stack
}

// The kinds of places, in the keys of tr_trace.places. The key of a check's place has the
// address of its site instead, which is greater.
const (
	tr_placeHook = 1 + iota // an access by the runtime, with its pc and the program's pc
	tr_placeFork
	tr_placeLock
	tr_placeRLock
	tr_placeSync // another ordering operation, with the program's pc
)

// tr_tracePlace returns the number of the place of an access: its site, or the call by
// which stack enters the runtime.
func tr_tracePlace(site, pc uintptr, stack uint32) uint32 {
	a, b := uint64(site), uint64(pc)
	if site == 0 {
		a = tr_placeHook | uint64(tr_programPC(stack))<<3
	}
	if i := tr_trace.places.get(a, b); i != 0 {
		return i
	}
	w := tr_describe(&ra_Side{Site: site, PC: pc, Stack: stack})
	h, index := tr_tableOf(site)
	if h == nil {
		return tr_tracePut(a, b, pc, &w.names, w.also, w.hook, "", 0, "")
	}
	return tr_tracePut(a, b, pc, &w.names, w.also, w.hook, h.path, index+1, tr_formula(h, index))
}

// tr_formula returns the formula that the table contains for the value of a site, in a
// row with "=" and the site's number. Only programs built with -branches have such rows.
func tr_formula(h *tr_sites, index uint32) string {
	const none, some = 1, 2
	key := uint64(uintptr(unsafe.Pointer(h)))
	has := tr_trace.places.get(key, tr_hasFormulas)
	if has == 0 {
		has = none
		if tr_contains(h.blob, "\t=") {
			has = some
		}
		tr_trace.places.put(key, tr_hasFormulas, has)
	}
	if has == none {
		return ""
	}
	for b := h.blob; b != ""; {
		var row, formula string
		row, b = tr_cut(b, '\n')
		_, row = tr_cut(row, '\t')
		_, row = tr_cut(row, '\t')
		formula, row = tr_cut(row, '\t')
		if len(row) > 1 && row[0] == '=' {
			if n, ok := tr_atoi(row[1:], 1<<30); ok && uint32(n) == index {
				return formula
			}
		}
	}
	return ""
}

// tr_hasFormulas replaces the pc in keys of tr_trace.places that tell whether a table has
// formulas.
const tr_hasFormulas = 1

// tr_traceSyncPlace returns the number of the place where the program called an ordering
// operation.
func tr_traceSyncPlace(stack uint32) uint32 {
	if stack == 0 {
		return 0
	}
	pc := uint64(tr_programPC(stack))
	if i := tr_trace.places.get(tr_placeSync, pc); i != 0 {
		return i
	}
	w := tr_describe(&ra_Side{Stack: stack})
	return tr_tracePut(tr_placeSync, pc, 0, &w.names, w.also, w.hook, "", 0, "")
}

// tr_traceLockPlace returns the number of the place where a lock is taken.
func tr_traceLockPlace(pc uintptr, shared bool) uint32 {
	kind := uint64(tr_placeLock)
	if shared {
		kind = tr_placeRLock
	}
	if i := tr_trace.places.get(kind, uint64(pc)); i != 0 || pc == 0 {
		return i
	}
	l := tr_lockAt(ra_HeldLock{PC: pc, Shared: shared})
	return tr_tracePut(kind, uint64(pc), pc, &l.names, "", "", "", 0, "")
}

// tr_traceForkPlace returns the number of the place where a task is created.
func tr_traceForkPlace(pc uintptr) uint32 {
	if i := tr_trace.places.get(tr_placeFork, uint64(pc)); i != 0 || pc == 0 {
		return i
	}
	return tr_tracePut(tr_placeFork, uint64(pc), pc, &tr_names{}, "", "", "", 0, "")
}

// tr_programPC returns the first return address of a context outside of the runtime and
// the packages that synchronize.
func tr_programPC(stack uint32) (pc uintptr) {
	for stack != 0 {
		stack, pc = tr_engine.Frame(stack)
		if f := findfunc(pc); f.valid() {
			if name := funcname(f); !tr_hidden(name, false) && !tr_synchronizes(name) && f.funcID != abi.FuncIDWrapper {
				return pc
			}
		}
	}
	return pc
}

// tr_tracePut defines a place. For a place of a check, table is the import path of its
// package and index the number of its site there, from 1.
func tr_tracePut(a, b uint64, pc uintptr, names *tr_names, also, hook, table string, index uint32, formula string) uint32 {
	x := &tr_trace
	l := tr_traceLocation(pc)
	pos := tr_traceString(names.pos)
	others := tr_traceString(also)
	called := tr_traceString(hook)
	path := tr_traceString(table)
	value := tr_traceString(formula)
	n := min(names.n, tr_maxNames)
	for i := 0; i < n; i++ {
		tr_traceString(names.list[i].expr)
		tr_traceString(names.list[i].decl)
	}
	tr_traceRoom(0)
	x.enc.Define(tw_Place)
	x.enc.Number(uint64(l))
	x.enc.Number(uint64(pos))
	x.enc.Number(uint64(others))
	x.enc.Number(uint64(called))
	x.enc.Number(uint64(path))
	x.enc.Number(uint64(index))
	x.enc.Number(uint64(value))
	x.enc.Number(uint64(names.n))
	x.enc.Number(uint64(n))
	for i := 0; i < n; i++ {
		x.enc.Number(uint64(tr_traceString(names.list[i].expr)))
		x.enc.Number(uint64(tr_traceString(names.list[i].decl)))
	}
	x.nPlaces++
	x.places.put(a, b, x.nPlaces)
	return x.nPlaces
}
