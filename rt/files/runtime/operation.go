//go:build taskinstr_runtime

// Accesses made by hooks. The runtime and the packages that synchronize make accesses for
// the program (maps, conversions, channels, locks). These accesses have no site. The
// tables list their operations in rows behind the sites. The fourth column names the
// operation; behind an @ it has the line of the call, if that differs from the line of
// the position. An access by a hook belongs to an operation at its line that the hook's
// function carries out. If several operations on a line match, the report names all of
// them.

package runtime

import "unsafe"

// A tr_wanted describes operations to search for.
type tr_wanted struct {
	a, b   string // names of the operation in the tables; b may be ""
	kind   string // of a map function: the kind of its key and element types
	method string // instead: a method of a type of package sync or sync/atomic
	locks  int    // instead: an operation that takes a lock
	makes  bool   // instead: an expression that allocates
}

const (
	tr_takesExclusive = 1 + iota
	tr_takesShared
	tr_takesAny
)

const tr_syncOp = "sync."

// tr_runtimeOps maps functions of the runtime to operations.
var tr_runtimeOps = [...]struct{ prefix, a, b string }{
	{"runtime.mapaccess", "mapread", ""},
	{"runtime.mapassign", "mapassign", ""},
	{"runtime.mapdelete", "mapdelete", ""},
	{"runtime.mapclear", "mapclear", "maprange"}, // for k := range m { delete(m, k) }
	{"runtime.mapIter", "maprange", ""},
	{"runtime.mapiter", "maprange", ""},
	{"runtime.chansend", "send", ""},
	{"runtime.closechan", "close", ""},
	{"runtime.growslice", "append", ""},
	{"runtime.slicebytetostring", "string", ""},
	{"runtime.slicerunetostring", "string", ""},
}

// tr_wantedOf returns the operation for which the program called the function callee. ""
// means that the program reported the access itself, through package race.
func tr_wantedOf(callee string) (w tr_wanted) {
	if callee == "" {
		w.a = "race"
		return w
	}
	if tr_synchronizes(callee) {
		w.method = tr_base(callee)
		return w
	}
	for i := range tr_runtimeOps {
		if o := &tr_runtimeOps[i]; tr_hasPrefix(callee, o.prefix) {
			w.a, w.b = o.a, o.b
			w.kind = tr_mapKind(callee)
			return w
		}
	}
	return w
}

// tr_mapKind returns the kind, as in the tables, of a runtime function for maps.
func tr_mapKind(fn string) string {
	for _, kind := range [...]string{"fast32", "fast64", "faststr"} {
		if tr_contains(fn, kind) {
			return kind
		}
	}
	return "slow"
}

// matches reports whether an operation op of the tables is wanted.
func (w *tr_wanted) matches(op string) bool {
	if op == "" {
		return false
	}
	if verb, kind := tr_cut(op, '_'); verb == w.a || verb == w.b {
		return kind == "" || kind == w.kind
	}
	if !tr_hasPrefix(op, tr_syncOp) {
		return false
	}
	op = op[len(tr_syncOp):]
	switch w.locks {
	case tr_takesExclusive:
		return op == "Lock" || op == "TryLock"
	case tr_takesShared:
		return op == "RLock" || op == "TryRLock"
	case tr_takesAny:
		return true
	}
	return op == w.method && w.method != ""
}

// tr_names are the operations found at a line.
type tr_names struct {
	pos  string // file:line:column of the first; without the column if several differ
	n    int    // number of different expressions; list holds the first of them
	list [tr_maxNames]tr_name

	table *tr_sites // table of the first
}

type tr_name struct{ expr, decl string }

const tr_maxNames = 4

// decl returns the declaration that all names share, "" if they differ.
func (n *tr_names) decl() string {
	for i := 1; i < min(n.n, tr_maxNames); i++ {
		if n.list[i].decl != n.list[0].decl {
			return ""
		}
	}
	return n.list[0].decl
}

// put writes the expressions.
func (n *tr_names) put() {
	for i := 0; i < min(n.n, tr_maxNames); i++ {
		if i > 0 {
			tr_puts(" or ")
		}
		tr_puts(n.list[i].expr)
	}
	if n.n > tr_maxNames {
		tr_puts(" or others")
	}
}

// add adds an operation of the table h.
func (n *tr_names) add(h *tr_sites, pos, expr, decl string) {
	if n.n == 0 {
		n.pos, n.table = pos, h
	} else if pos != n.pos {
		n.pos = tr_line1(n.pos) // several operations: no column
	}
	for i := 0; i < min(n.n, tr_maxNames); i++ {
		if n.list[i].expr == expr {
			return
		}
	}
	if n.n < tr_maxNames {
		n.list[n.n] = tr_name{expr, decl}
	}
	n.n++
}

// tr_found caches results of tr_find, because a search of all tables takes milliseconds.
// tr_reportLock guards it.
var tr_found [64]struct {
	file   uintptr // address of its text, which is in the function table
	line   int
	wanted tr_wanted
	names  tr_names
}

// tr_find returns the wanted operations at the line l.
func tr_find(l *tr_line, w tr_wanted) *tr_names {
	at := uintptr(unsafe.Pointer(unsafe.StringData(l.file)))
	m := &tr_found[(at^uintptr(l.line))%uintptr(len(tr_found))]
	if m.file == at && m.line == l.line && m.wanted == w {
		return &m.names
	}
	m.file, m.line, m.wanted = at, l.line, w
	m.names = tr_names{}
	// Search the table of the function's package first. Function names spell some import
	// paths differently, so the others follow.
	for own := true; m.names.n == 0; own = false {
		tr_eachTable(func(h *tr_sites) {
			if tr_hasPrefix(l.name, h.path) == own {
				h.find(l.file, l.line, &w, &m.names)
			}
		})
		if !own {
			break
		}
	}
	return &m.names
}

// find adds the wanted operations at a line of a file to n.
func (h *tr_sites) find(file string, line int, w *tr_wanted, n *tr_names) {
	for b := h.blob; b != ""; {
		var row, pos, expr, decl, op, at string
		row, b = tr_cut(b, '\n')
		if !tr_hasPrefix(row, file) {
			continue
		}
		pos, row = tr_cut(row, '\t')
		expr, row = tr_cut(row, '\t')
		decl, row = tr_cut(row, '\t')
		op, at = tr_cut(row, '@')
		if row == tr_newRow {
			at = ""
		}
		if (w.matches(op) || w.makes && row == tr_newRow) && tr_atLine(pos, at, file, line) {
			n.add(h, pos, expr, decl)
		}
	}
}

// tr_atLine reports whether an operation lies on a line. Its position is pos; at is the
// line of its call if that is a different line, else "".
func tr_atLine(pos, at, file string, line int) bool {
	if !tr_hasPrefix(pos, file) || len(pos) <= len(file) || pos[len(file)] != ':' {
		return false
	}
	if at == "" {
		at, _ = tr_cut(pos[len(file)+1:], ':')
	}
	n := 0
	for i := 0; i < len(at); i++ {
		n = 10*n + int(at[i]-'0')
	}
	return n == line
}

// tr_line1 removes the column from file:line:column.
func tr_line1(pos string) string {
	colons, cut := 0, len(pos)
	for i := len(pos) - 1; i >= 0 && (pos[i] == ':' || '0' <= pos[i] && pos[i] <= '9'); i-- {
		if pos[i] == ':' {
			if colons == 0 {
				cut = i
			}
			colons++
		}
	}
	if colons < 2 {
		return pos
	}
	return pos[:cut]
}

// tr_base returns the last part of a function's name.
//
//go:noinline
func tr_base(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[i+1:]
		}
	}
	return name
}

// A tr_description describes an access for a report.
type tr_description struct {
	names tr_names
	also  string // the accesses that the check covers besides its own, separated by tabs
	hook  string // the function of the runtime or of package sync that the program called
}

// tr_describe returns the description of one side of a report.
func tr_describe(a *ra_Side) (w tr_description) {
	if a.Site == tr_newSite() {
		w.hook = tr_allocates
		if l, ok := tr_userFrame(a.PC, a.Stack); ok {
			w.names = *tr_find(&l, tr_wanted{a: "append", makes: true})
		}
		return w
	}
	if a.Site != 0 {
		pos, expr, decl, also := tr_site(a.Site)
		h, _ := tr_tableOf(a.Site)
		w.names.add(h, pos, expr, decl)
		w.also = also
		return w
	}
	l, callee, ok := tr_userCall(a.PC, a.Stack)
	w.hook = callee
	if ok {
		w.names = *tr_find(&l, tr_wantedOf(callee))
	}
	return w
}

// file returns the file of the access, "" if it is not known.
func (w *tr_description) file(a *ra_Side) string {
	if pos := w.names.pos; pos != "" {
		for colons, i := 0, len(pos)-1; i > 0; i-- {
			if pos[i] == ':' {
				if colons++; colons == 2 {
					return pos[:i]
				}
			}
		}
		return ""
	}
	l, _ := tr_userFrame(a.PC, a.Stack)
	return l.file
}

// putPosition writes the position of the access in the program's code, if it is known.
func (w *tr_description) putPosition(a *ra_Side) {
	if w.names.pos != "" {
		tr_puts(tr_strip(w.names.pos))
		return
	}
	if l, ok := tr_userFrame(a.PC, a.Stack); ok || !tr_opt.json {
		tr_putLine(l, ok)
	}
}
