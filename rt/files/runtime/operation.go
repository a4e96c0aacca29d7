//go:build taskinstr_runtime

// Accesses that hooks see. What the runtime and the packages that synchronize check on a
// program's behalf (maps, conversions, channels, locks) has no site, but the tables list
// such operations as well, behind the sites: the fourth column says what is done, the
// line of the call is the position's or stands there, too. An access is one of those at
// its line that do what the runtime was asked to do; where a line has several, all are
// named.

package runtime

import "unsafe"

// tr_wanted is what operations are looked for.
type tr_wanted struct {
	a, b   string // as in the tables; b may be ""
	kind   string // of a map's function, for its types of keys and elements
	method string // of a type of package sync or sync/atomic, instead
	locks  int    // instead: an operation that takes a lock
}

const (
	tr_takesExclusive = 1 + iota
	tr_takesShared
	tr_takesAny
)

const tr_syncOp = "sync."

// tr_runtimeOps says which operations the runtime's functions carry out.
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

// tr_wantedOf returns what operation the program asked for by calling a function; ""
// is none: the program said itself what it accesses.
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

// tr_mapKind returns what the tables call the kind of a runtime function for maps.
func tr_mapKind(fn string) string {
	for _, kind := range [...]string{"fast32", "fast64", "faststr"} {
		if tr_contains(fn, kind) {
			return kind
		}
	}
	return "slow"
}

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
	pos  string // file:line:column of the first; without the column if there are several
	n    int    // how many different expressions; list has the first of them
	list [tr_maxNames]tr_name

	table *tr_sites // that has the first
}

type tr_name struct{ expr, decl string }

const tr_maxNames = 4

// decl returns what is declared, "" if that is not the same for all names.
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

// add adds an operation of the table.
func (n *tr_names) add(h *tr_sites, pos, expr, decl string) {
	if n.n == 0 {
		n.pos, n.table = pos, h
	} else if pos != n.pos {
		n.pos = tr_line1(n.pos) // which of several is not known, hence no column
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

// tr_found remembers what tr_find found: looking through all tables takes
// milliseconds. tr_reportLock is held.
var tr_found [64]struct {
	file   uintptr // its text is in the function table
	line   int
	wanted tr_wanted
	names  tr_names
}

// tr_find returns the operations at the line of a frame.
func tr_find(l *tr_line, w tr_wanted) *tr_names {
	at := uintptr(unsafe.Pointer(unsafe.StringData(l.file)))
	m := &tr_found[(at^uintptr(l.line))%uintptr(len(tr_found))]
	if m.file == at && m.line == l.line && m.wanted == w {
		return &m.names
	}
	m.file, m.line, m.wanted = at, l.line, w
	m.names = tr_names{}
	// First the table of the function's package. Names of functions spell some import
	// paths otherwise.
	for own := true; m.names.n == 0; own = false {
		for p := firstmoduledata.data; p+unsafe.Sizeof(tr_sites{}) <= firstmoduledata.edata; p += 8 {
			if h := (*tr_sites)(unsafe.Pointer(p)); h.magic == tr_sitesMagic && tr_hasPrefix(l.name, h.path) == own {
				h.find(l.file, l.line, &w, &m.names)
			}
		}
		if !own {
			break
		}
	}
	return &m.names
}

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
		if w.matches(op) && tr_atLine(pos, at, file, line) {
			n.add(h, pos, expr, decl)
		}
	}
}

// tr_atLine reports whether an operation lies on a line: its position is pos, and the
// line of its call at, if that is not "".
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

// tr_line1 cuts the column off file:line:column.
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

// tr_what is what a report says of the place that was accessed.
type tr_what struct {
	names tr_names
	also  string // the accesses that a check stands for beside its own, separated by tabs
	hook  string // the function of the runtime or of package sync that the program called
}

// tr_describe returns what one side of a report has accessed.
func tr_describe(a *ti_Side) (w tr_what) {
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

// putPosition writes where the access is: in the program's code, as far as is known.
func (w *tr_what) putPosition(a *ti_Side) {
	if w.names.pos != "" {
		tr_puts(tr_strip(w.names.pos))
		return
	}
	if l, ok := tr_userFrame(a.PC, a.Stack); ok || !tr_opt.json {
		tr_putLine(l, ok)
	}
}
