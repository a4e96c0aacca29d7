//go:build taskinstr_runtime

// From program counters and sites to text.

package runtime

import (
	"internal/abi"
	"internal/bytealg"
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
		if tr_hidden(name, f.leaf && !inlined) || sf.funcID == abi.FuncIDWrapper {
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
	// pkg/path._ti_r[...] is a helper of instrumented code.
	i := len(name) - 1
	for i >= 0 && name[i] != '/' {
		i--
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

// tr_tableOf returns the table that a site is in, and its index there.
func tr_tableOf(s uintptr) (h *tr_sites, i uint32) {
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

// tr_site returns the line of the table that describes a site: its parts are
// file:line:col, the expression, what is declared, and the accesses that a check
// there stands for beside its own, separated by tabs. They are empty where nothing
// is known.
func tr_site(s uintptr) (pos, expr, decl, also string) {
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
	decl, also = tr_cut(b, '\t')
	return
}

// tr_userFrame returns the innermost frame that is neither the runtime's nor
// that of a synchronization package.
func tr_userFrame(pc uintptr, stack uint32) (tr_line, bool) {
	l, _, ok := tr_userCall(pc, stack)
	return l, ok
}

// tr_userCall is tr_userFrame with the name of the function that was called there, ""
// if the frame is the innermost.
func tr_userCall(pc uintptr, stack uint32) (l tr_line, callee string, ok bool) {
	f := tr_framesOf(pc, stack)
	for {
		l, ok = f.next()
		if !ok || !tr_hidden(l.name, false) && !tr_synchronizes(l.name) {
			return l, callee, ok
		}
		callee = l.name
	}
}

// tr_synchronizes reports whether a function is one of the packages whose calls are
// hooks.
func tr_synchronizes(name string) bool {
	return tr_hasPrefix(name, "sync.") || tr_hasPrefix(name, "sync/atomic.") || tr_hasPrefix(name, "internal/sync.")
}

// tr_ownCall is tr_userCall for the innermost frame of the program's main module, if
// there is one, or else for the innermost one that is not of the standard library.
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

// tr_ownFunc reports whether a function is of the program's main module.
func tr_ownFunc(name string) bool {
	if tr_hasPrefix(name, "main.") || tr_hasPrefix(name, "command-line-arguments") {
		return true
	}
	mod := tr_mainModule()
	if mod == "" || !tr_hasPrefix(name, mod) || len(name) == len(mod) {
		return false
	}
	c := name[len(mod)]
	return c == '.' || c == '/' || c == '_' // p_test
}

// tr_stdFunc reports whether a function is of the standard library, whose import paths
// have no dot in their first element.
func tr_stdFunc(name string) bool {
	for i := 0; i < len(name) && name[i] != '('; i++ {
		switch name[i] {
		case '/':
			return true
		case '.':
			for i++; i < len(name); i++ {
				switch name[i] {
				case '/':
					return false // a dot in front of a slash
				case '(', '[':
					return true
				}
			}
			return true
		}
	}
	return true
}

// tr_mainModule returns the path of the main module as the go command has noted it, ""
// if there is none.
func tr_mainModule() string {
	const skip = 16 // a mark in front that the go command looks for
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

// tr_cut cuts s at the first c.
func tr_cut(s string, c byte) (before, after string) {
	if i := bytealg.IndexByteString(s, c); i >= 0 {
		return s[:i], s[i+1:]
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
