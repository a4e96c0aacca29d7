//go:build taskinstr_runtime

// Sites at which something is done before the access: those of pairs (hold.go), and chosen ones (the option access), before
// whose accesses there are points of a schedule.

package runtime

import (
	"internal/goarch"
	"internal/runtime/atomic"
	"unsafe"
)

// tr_sited says that there are such sites. It is constant after the start.
var tr_sited bool

var tr_places struct {
	chosen string // the value of the option access

	// A cache of sites, with open addressing. tr_reportLock guards writes; an entry does not change any more when
	// its key is set.
	keys   [tr_knownSites]uintptr
	places [tr_knownSites]tr_place
}

const (
	tr_knownSites = 1 << 13
	tr_siteProbe  = 16 // entries in which a site may be
)

// A tr_place is what is done at a site, a set of bits: 2i and 2i+1 for the sides of pair i.
type tr_place uint64

const (
	tr_placePair   tr_place = 1<<(2*tr_holdPairs) - 1
	tr_placeChosen tr_place = 1 << 63 // a point
)

// tr_setAccess reads the value of the option access.
func tr_setAccess(val string) bool {
	tr_places.chosen = val
	tr_sited = true
	for rest := val; rest != ""; {
		var site string
		if site, rest = tr_cut(rest, ','); site == "" {
			return false
		}
	}
	return val != "" && val[len(val)-1] != ','
}

// tr_siteKey returns the key of a check or hook and of the kind of its access.
//
//go:nosplit
func tr_siteKey(s *uint32, pc, kind uintptr) uintptr {
	if s == nil {
		return pc<<2 | kind&3
	}
	return uintptr(unsafe.Pointer(s))<<2 | kind&3
}

// tr_placeKnown returns what is done at the site with a key; ok is false if it is not known.
//
//go:nosplit
func tr_placeKnown(key uintptr) (place tr_place, ok bool) {
	t := &tr_places
	for i := range uintptr(tr_siteProbe) {
		j := (key*0x9e3779b1>>16 + i) % tr_knownSites
		switch atomic.Loaduintptr(&t.keys[j]) {
		case key:
			return t.places[j], true
		case 0:
			return 0, false
		}
	}
	return 0, false
}

// tr_placeOf is tr_placeKnown for the site of a check, or of the hook that the call at pc runs, which is not known yet.
// tr_reportLock is held.
func tr_placeOf(s *uint32, pc, kind uintptr) (place tr_place) {
	t, key := &tr_places, tr_siteKey(s, pc, kind)
	if place, ok := tr_placeKnown(key); ok {
		return place
	}
	pos, line := "", -1
	f := tr_framesOf(pc, 0)
	frame, _ := f.next()
	if s != nil {
		pos, _, _, _ = tr_site(uintptr(unsafe.Pointer(s)))
		pos = tr_strip(pos)
	} else {
		pos, line = tr_strip(frame.file), frame.line
	}
	side := ra_Side{PC: pc, Site: uintptr(unsafe.Pointer(s)), Kind: ra_Kind(kind)}
	for i := range tr_hold.n {
		p := &tr_hold.pairs[i]
		for k, want := range p.sides {
			if p.print == 0 && (line < 0 && want == pos || line >= 0 && tr_placeAt(want, pos, line)) || p.print != 0 && want != "" && tr_holdSide(want, &side) {
				place |= 1 << (2*i + k)
			}
		}
	}
	for rest := t.chosen; rest != "" && kind&tr_atomic == 0; {
		var site string
		if site, rest = tr_cut(rest, ','); tr_choosesSite(site, pos, line, frame.name) {
			place |= tr_placeChosen
		}
	}
	for i := range uintptr(tr_siteProbe) {
		j := (key*0x9e3779b1>>16 + i) % tr_knownSites
		if t.keys[j] == 0 {
			t.places[j] = place
			atomic.Storeuintptr(&t.keys[j], key)
			break
		}
	}
	return place
}

// tr_choosesSite reports whether an element of the option access, FILE:LINE[:COLUMN] or FUNCTION, stands for the site in a
// function at pos, which is FILE:LINE:COLUMN, or FILE if line is not negative.
func tr_choosesSite(site, pos string, line int, function string) bool {
	file, place := tr_cutPlace(site)
	if place == "" {
		return tr_matches(function, site)
	}
	at := pos
	if line < 0 {
		var where string
		at, where = tr_cutPlace(pos)
		if len(where) < len(place) || where[:len(place)] != place || len(where) > len(place) && where[len(place)] != ':' {
			return false
		}
	} else if text, _ := tr_cut(place, ':'); !tr_isNumber(text, line) {
		return false
	}
	n := len(at) - len(file)
	return n >= 0 && at[n:] == file && (n == 0 || at[n-1] == '/')
}

// tr_cutPlace splits FILE:LINE or FILE:LINE:COLUMN behind the file. place is empty if there is no line.
func tr_cutPlace(s string) (file, place string) {
	file = s
	for range 2 {
		i := len(file) - 1
		for i > 0 && '0' <= file[i] && file[i] <= '9' {
			i--
		}
		if i <= 0 || file[i] != ':' || i == len(file)-1 {
			break
		}
		file, place = file[:i], s[i+1:]
	}
	return file, place
}

func tr_isNumber(text string, n int) bool {
	v, ok := tr_atoi(text, 1<<30)
	return ok && v == n
}

// tr_placeAt reports whether a place is in the line of a file.
func tr_placeAt(place, file string, line int) bool {
	at, where := tr_cutPlace(place)
	text, _ := tr_cut(where, ':')
	return at == file && tr_isNumber(text, line)
}

// tr_siteAt is called where gp is about to access n bytes at a. It is called if tr_sited is set.
//
//go:nosplit
func tr_siteAt(gp *g, a, n, kind, pc uintptr, s *uint32) {
	place, ok := tr_placeKnown(tr_siteKey(s, pc, kind))
	if ok && place == 0 || !tr_canPass(gp) {
		return
	}
	if !ok {
		systemstack(func() {
			lock(&tr_reportLock)
			place = tr_placeOf(s, pc, kind)
			unlock(&tr_reportLock)
		})
	}
	if place&tr_placeChosen != 0 && tr_sched.on {
		op := sc_OpRead
		if kind&tr_write != 0 {
			op = sc_OpWrite
		}
		tr_syncPoint(op, sc_Access(a))
	}
	if place&tr_placePair != 0 {
		tr_holdAt(gp, a, n, kind, place&tr_placePair)
	}
}

// tr_siteAtomic is tr_siteAt for an atomic operation. fp is the frame pointer of the function that pc has called, and pc may
// be in a method of package atomic.
func tr_siteAtomic(gp *g, a, n, op, pc, fp uintptr, s *uint32) {
	kind := uintptr(tr_atomic | tr_write)
	if op == tr_opLoad {
		kind = tr_atomic | tr_read
	}
	if f := findfunc(pc); s == nil && framepointer_enabled && f.valid() && tr_synchronizes(funcname(f)) {
		pc = *(*uintptr)(unsafe.Pointer(*(*uintptr)(unsafe.Pointer(fp)) + goarch.PtrSize))
	}
	tr_siteAt(gp, a, n, kind, pc, s)
}
