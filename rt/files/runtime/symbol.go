//go:build taskinstr_runtime

// From program counters and sites to text.

package runtime

import (
	"internal/abi"
	"unsafe"
)

// tr_frames iterates over the frames of a recorded stack, innermost first,
// inlined calls expanded, the machinery of checks left out.
type tr_frames struct {
	pc    uintptr
	stack uint32
	u     inlineUnwinder
	uf    inlineFrame
	leaf  bool // the frame at hand is the accessing function's
	live  bool
}

type tr_line struct {
	name string
	file string
	line int
	off  uintptr
}

func tr_framesOf(pc uintptr, stack uint32) tr_frames {
	f := tr_frames{pc: pc, stack: stack, leaf: true}
	if pc == 0 {
		f.pop()
	}
	return f
}

func (f *tr_frames) pop() {
	f.stack, f.pc = tr_engine.Frame(f.stack)
}

// next returns the next frame; ok is false past the last.
func (f *tr_frames) next() (l tr_line, ok bool) {
	for {
		if !f.live {
			if f.pc == 0 {
				return l, false
			}
			fn := findfunc(f.pc)
			if !fn.valid() {
				f.leaf = false
				f.pop()
				continue
			}
			pc := f.pc
			if pc > fn.entry() {
				pc-- // a return address: the call is before it
			}
			f.u, f.uf = newInlineUnwinder(fn, pc)
			f.live = true
		}
		if !f.uf.valid() {
			f.live = false
			f.leaf = false
			f.pop()
			continue
		}
		sf := f.u.srcFunc(f.uf)
		name := sf.name()
		l.name = name
		l.file, l.line = f.u.fileLine(f.uf)
		l.off = f.pc - f.u.f.entry()
		inlined := f.u.isInlined(f.uf)
		f.uf = f.u.next(f.uf)
		// A wrapper that the compiler made is a frame where it was called as one, as
		// for go's own detector: the body of a go statement's function (gowrap1).
		if tr_hidden(name, f.leaf && !inlined) || sf.funcID == abi.FuncIDWrapper && inlined {
			continue
		}
		return l, true
	}
}

// tr_hidden reports whether a function is no part of the program's own stack.
// At the leaf the runtime's functions tell what was done (mapassign, growslice).
func tr_hidden(name string, leaf bool) bool {
	if tr_hasPrefix(name, "runtime.") || tr_hasPrefix(name, "internal/runtime/") {
		return !leaf || tr_hasPrefix(name, "runtime.ti_") || tr_hasPrefix(name, "runtime.tr_") || tr_hasPrefix(name, "runtime.taskinstr_")
	}
	// pkg/path._ti_r[...] is a helper of instrumented code. Type arguments, in the
	// brackets, may hold import paths.
	i := 0
	for i < len(name) && name[i] != '[' {
		i++
	}
	for i--; i >= 0 && name[i] != '/'; i-- {
	}
	for i++; i < len(name) && name[i] != '.'; i++ {
	}
	return i+4 < len(name) && name[i+1:i+5] == "_ti_"
}

// tr_sites is the head of a package's table of sites, which the checks' site
// pointers point behind.
type tr_sites struct {
	magic uint64
	path  string
	blob  string
}

const tr_sitesMagic = 0x7461736b696e7374

// tr_site returns the line of the table that describes a site: its parts are
// file:line:col, the expression, what is declared, and the accesses that a check
// there stands for beside its own, separated by tabs. They are empty where nothing
// is known.
func tr_site(s uintptr) (pos, expr, decl, also string) {
	if s == 0 {
		return
	}
	if pos, expr, decl, ok := tr_describeWrapper(s); ok {
		return pos, expr, decl, ""
	}
	i := *(*uint32)(unsafe.Pointer(s))
	h := (*tr_sites)(unsafe.Pointer(s - uintptr(i)*4 - unsafe.Sizeof(tr_sites{})))
	if h.magic != tr_sitesMagic {
		return
	}
	b := h.blob
	for ; i > 0; i-- {
		_, b = tr_cut(b, '\n')
	}
	b, _ = tr_cut(b, '\n')
	pos, b = tr_cut(b, '\t')
	expr, b = tr_cut(b, '\t')
	decl, also = tr_cut(b, '\t')
	return
}

// tr_describe is tr_site for one side of a report. What the runtime checks on a
// program's behalf (maps, conversions, channels) has no site, but the tables
// list such operations as well, behind the sites and with a fourth column, read
// or write. They are found by file and line; where a line has several of a kind
// all are named.
func tr_describe(a *ti_Side) (pos, expr, decl, also string) {
	if a.Site != 0 {
		return tr_site(a.Site)
	}
	l, ok := tr_userFrame(a.PC, a.Stack)
	if !ok {
		return
	}
	return tr_operation(l.file, l.line, a.Kind&tr_write != 0)
}

// tr_operations remembers what tr_operation found: looking through all tables
// takes milliseconds. tr_reportLock is held.
var tr_operations [64]tr_operationMemo

type tr_operationMemo struct {
	file  uintptr // its text is in the function table
	line  int
	write bool

	pos, expr, decl string // parts of tables
}

// tr_operation describes the operation without a site at a line.
func tr_operation(file string, line int, write bool) (pos, expr, decl, also string) {
	at := uintptr(unsafe.Pointer(unsafe.StringData(file)))
	m := &tr_operations[(at^uintptr(line))%uintptr(len(tr_operations))]
	if m.file != at || m.line != line || m.write != write {
		*m = tr_operationMemo{file: at, line: line, write: write}
		m.find(file)
	}
	return m.pos, m.expr, m.decl, ""
}

func (m *tr_operationMemo) find(file string) {
	kind := "read"
	if m.write {
		kind = "write"
	}
	for p := firstmoduledata.data; p+unsafe.Sizeof(tr_sites{}) <= firstmoduledata.edata; p += 8 {
		h := (*tr_sites)(unsafe.Pointer(p))
		if h.magic != tr_sitesMagic {
			continue
		}
		for b := h.blob; b != ""; {
			var line, where, e, d string
			line, b = tr_cut(b, '\n')
			where, line = tr_cut(line, '\t')
			e, line = tr_cut(line, '\t')
			d, line = tr_cut(line, '\t')
			if line == kind && tr_atLine(where, file, m.line) {
				if m.expr != "" {
					m.expr, m.decl = "one of several expressions", ""
					return
				}
				m.pos, m.expr, m.decl = where, e, d
			}
		}
	}
}

// tr_atLine reports whether where, file:line:column, lies on a line.
func tr_atLine(where, file string, line int) bool {
	if !tr_hasPrefix(where, file) || len(where) <= len(file) || where[len(file)] != ':' {
		return false
	}
	n := 0
	for i := len(file) + 1; i < len(where) && where[i] != ':'; i++ {
		n = 10*n + int(where[i]-'0')
	}
	return n == line
}

// tr_userFrame returns the innermost frame of code that is written somewhere, neither
// in the runtime nor in a synchronization package.
func tr_userFrame(pc uintptr, stack uint32) (tr_line, bool) {
	f := tr_framesOf(pc, stack)
	for {
		l, ok := f.next()
		if !ok || l.file != "<autogenerated>" && !tr_hidden(l.name, false) && !tr_hasPrefix(l.name, "sync.") && !tr_hasPrefix(l.name, "sync/atomic.") && !tr_hasPrefix(l.name, "internal/sync.") {
			return l, ok
		}
	}
}

// tr_cut cuts s at the first c.
func tr_cut(s string, c byte) (before, after string) {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// tr_strip removes the prefix that strip_path_prefix names.
func tr_strip(file string) string {
	if p := tr_opt.stripPrefix; p != "" {
		for i := 0; i+len(p) <= len(file); i++ {
			if file[i:i+len(p)] == p {
				return file[i+len(p):]
			}
		}
	}
	return file
}

func tr_hasPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && s[:len(prefix)] == prefix
}
