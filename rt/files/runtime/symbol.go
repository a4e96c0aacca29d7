//go:build taskinstr_runtime

// Text for program counters and sites.

package runtime

import (
	"internal/abi"
	"internal/bytealg"
	"unsafe"
)

// tr_frames iterates over the frames of a recorded stack, innermost first. It expands
// inlined calls and omits the functions of checks.
type tr_frames struct {
	pc    uintptr
	stack uint32
	u     inlineUnwinder
	uf    inlineFrame
	leaf  bool // the current frame is the accessing function's
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

// next returns the next frame; ok is false after the last.
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
				pc-- // a return address lies behind its call
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
		name := tr_funcName(sf)
		l.name = name
		l.file, l.line = f.u.fileLine(f.uf)
		l.off = f.pc - f.u.f.entry()
		inlined := f.u.isInlined(f.uf)
		f.uf = f.u.next(f.uf)
		// A wrapper made by the compiler is a frame only if it was called as one, as in
		// Go's own detector: for example the function of a go statement (gowrap1).
		if tr_hidden(name, f.leaf && !inlined) || tr_helperAt(sf.startLine) || sf.funcID == abi.FuncIDWrapper && inlined {
			continue
		}
		return l, true
	}
}

// tr_copySuffix is behind the name of a function in that of its copy (internal/splice/borrow.go).
const tr_copySuffix = "ꞏcopy"

// tr_ownName returns the parts of a function's name that programs see: in front of the suffix and behind it, where a
// literal has its number. Of other names it returns all.
func tr_ownName(name string) (front, behind string) {
	const n = len(tr_copySuffix)
	for i := len(name) - n; i >= 0; i-- {
		if name[i] == tr_copySuffix[0] && name[i:i+n] == tr_copySuffix {
			return name[:i], name[i+n:]
		}
	}
	return name, ""
}

// tr_funcName returns the name of a function as programs see it.
func tr_funcName(f srcFunc) string {
	front, behind := tr_ownName(f.name())
	if behind == "" {
		return front
	}
	n := len(front) + len(behind)
	p := (*byte)(persistentalloc(uintptr(n), 1, &memstats.other_sys))
	text := unsafe.Slice(p, n)
	copy(text[copy(text, front):], behind)
	return unsafe.String(p, n)
}

// tr_hidden reports whether reports omit a function from stacks. The innermost frame may
// be a function of the runtime, which tells the operation (mapassign, growslice).
func tr_hidden(name string, leaf bool) bool {
	if tr_hasPrefix(name, "runtime.") || tr_hasPrefix(name, "internal/runtime/") {
		return !leaf || tr_hasPrefix(name, "runtime.ti_") || tr_hasPrefix(name, "runtime.tr_") || tr_hasPrefix(name, "runtime.taskinstr_")
	}
	// pkg/path._ti_r[...] is a helper of instrumented code. Type arguments, in brackets,
	// may contain import paths.
	i := 0
	for i < len(name) && name[i] != '[' {
		i++
	}
	for i--; i >= 0 && name[i] != '/'; i-- {
	}
	for i++; i < len(name) && name[i] != '.'; i++ {
	}
	if i+1 < len(name) && name[i+1] == '(' { // pkg/path.(*T)._ti_c1_M is a copy of a method
		for i < len(name) && name[i] != ')' {
			i++
		}
		i++
	}
	return i+4 < len(name) && name[i+1:i+5] == "_ti_"
}

// tr_sites is the head of a package's table of sites. The site pointers of checks point
// behind it.
type tr_sites struct {
	magic uint64
	path  string
	blob  string
}

const tr_sitesMagic = 0x7461736b696e7374

// tr_eachTable passes all tables of sites to f.
func tr_eachTable(f func(h *tr_sites)) {
	for p := firstmoduledata.data; p+unsafe.Sizeof(tr_sites{}) <= firstmoduledata.edata; p += 8 {
		if h := (*tr_sites)(unsafe.Pointer(p)); h.magic == tr_sitesMagic {
			f(h)
		}
	}
}

// tr_newRow is the last column of the row of a first write to memory that the expression allocates.
const tr_newRow = "@new"

// tr_tableOf returns the table of a site, and the site's index there.
func tr_tableOf(s uintptr) (h *tr_sites, i uint32) {
	if w := tr_wrapperSiteAt(s); w != nil {
		s = uintptr(unsafe.Pointer(w.call.site))
	}
	if s == 0 {
		return nil, 0
	}
	i = *(*uint32)(unsafe.Pointer(s))
	h = (*tr_sites)(unsafe.Pointer(s - uintptr(i)*4 - unsafe.Sizeof(tr_sites{})))
	if h.magic != tr_sitesMagic {
		return nil, 0
	}
	return h, i
}

// tr_site returns the table's row of a site: file:line:col, the expression, the
// declaration, and the accesses that the check covers besides its own, separated by tabs.
// They are empty if nothing is known.
func tr_site(s uintptr) (pos, expr, decl, also string) {
	if pos, expr, decl, ok := tr_describeWrapper(s); ok {
		return pos, expr, decl, ""
	}
	h, i := tr_tableOf(s)
	if h == nil {
		return
	}
	b := h.blob
	for ; i > 0; i-- {
		_, b = tr_cut(b, '\n')
	}
	b, _ = tr_cut(b, '\n')
	pos, b = tr_cut(b, '\t')
	expr, b = tr_cut(b, '\t')
	if decl, also = tr_cut(b, '\t'); also == tr_newRow {
		also = ""
	}
	return
}

// tr_userFrame returns the innermost frame of source code outside of the runtime and the
// packages that synchronize.
//
//go:noinline
func tr_userFrame(pc uintptr, stack uint32) (tr_line, bool) {
	l, _, ok := tr_userCall(pc, stack)
	return l, ok
}

// tr_userCall is tr_userFrame with the name of the function called there, "" if the frame
// is the innermost.
func tr_userCall(pc uintptr, stack uint32) (l tr_line, callee string, ok bool) {
	f := tr_framesOf(pc, stack)
	for {
		l, ok = f.next()
		if !ok || l.file != "<autogenerated>" && !tr_hidden(l.name, false) && !tr_synchronizes(l.name) {
			return l, callee, ok
		}
		callee = l.name
	}
}

// tr_synchronizes reports whether a function belongs to one of the packages whose calls
// are hooks.
func tr_synchronizes(name string) bool {
	return tr_hasPrefix(name, "sync.") || tr_hasPrefix(name, "sync/atomic.") || tr_hasPrefix(name, "internal/sync.") || tr_hasPrefix(name, tr_taskPackage)
}

// tr_ownCall is tr_userCall for the innermost frame of the program's main module or, if
// there is none, for the innermost frame outside of the standard library.
func tr_ownCall(pc uintptr, stack uint32) (l tr_line, callee string, ok bool) {
	f := tr_framesOf(pc, stack)
	last, found := "", false
	for {
		m, more := f.next()
		if !more {
			break
		}
		if tr_ownFunc(m.name) {
			return m, last, true
		}
		if !found && !tr_stdFunc(m.name) {
			l, callee, found = m, last, true
		}
		last = m.name
	}
	if found {
		return l, callee, true
	}
	return tr_userCall(pc, stack)
}

// tr_ownFunc reports whether a function belongs to the program's main module.
func tr_ownFunc(name string) bool {
	if tr_hasPrefix(name, "main.") || tr_hasPrefix(name, "command-line-arguments") {
		return true
	}
	mod := tr_mainModule()
	if tr_hasPrefix(name, tr_taskPackage) || mod == "" || !tr_hasPrefix(name, mod) || len(name) == len(mod) {
		return false
	}
	c := name[len(mod)]
	return c == '.' || c == '/' || c == '_' // p_test
}

// tr_stdFunc reports whether a function belongs to the standard library, whose import
// paths have no dot in their first element.
func tr_stdFunc(name string) bool {
	for i := 0; i < len(name) && name[i] != '('; i++ {
		switch name[i] {
		case '/':
			return true
		case '.':
			for i++; i < len(name); i++ {
				switch name[i] {
				case '/':
					return false // the first element contains a dot
				case '(', '[':
					return true
				}
			}
			return true
		}
	}
	return true
}

// tr_mainModule returns the path of the main module as recorded by the go command, "" if
// there is none.
func tr_mainModule() string {
	const skip = 16 // bytes of a mark in front, for the go command
	info := modinfo
	if len(info) < skip {
		return ""
	}
	for info = info[skip:]; info != ""; {
		var line string
		line, info = tr_cut(info, '\n')
		if kind, rest := tr_cut(line, '\t'); kind == "mod" {
			path, _ := tr_cut(rest, '\t')
			return path
		}
	}
	return ""
}

// tr_cut splits s at the first c.
//
//go:noinline
func tr_cut(s string, c byte) (before, after string) {
	if i := bytealg.IndexByteString(s, c); i >= 0 {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// tr_strip removes the prefix named by the option strip_path_prefix.
//
//go:noinline
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

//go:noinline
func tr_hasPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && s[:len(prefix)] == prefix
}
