//go:build taskinstr_runtime

// Sites that a schedule knows by their positions: those of a pair (hold, schedulehold.go), and chosen ones (access), before
// whose accesses there are points.

package runtime

import "unsafe"

// tr_sited says that there are such sites. It is constant after the start.
var tr_sited bool

var tr_places struct {
	chosen string // the value of the option access
	known  [tr_knownSites]tr_knownSite
}

// tr_knownSites is the number of entries of a cache of sites.
const tr_knownSites = 1 << 12

// A tr_place is what a schedule does at a site, a set of bits.
type tr_place uint8

const (
	tr_placeFirst  tr_place = 1 << iota // the first access of the pair
	tr_placeSecond                      // the second one
	tr_placeChosen                      // a point

	tr_placePair = tr_placeFirst | tr_placeSecond
)

type tr_knownSite struct {
	key   uintptr
	place tr_place
}

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

// tr_placeOf returns what a schedule does at the site of a check, or of the hook that the call at pc runs.
func tr_placeOf(s *uint32, pc uintptr) tr_place {
	key := uintptr(unsafe.Pointer(s))
	if s == nil {
		key = pc
	}
	e := &tr_places.known[key*0x9e3779b1>>16%tr_knownSites]
	if e.key == key {
		return e.place
	}
	e.key, e.place = key, 0
	pos, line := "", -1
	f := tr_framesOf(pc, 0)
	frame, _ := f.next()
	if s != nil {
		pos, _, _, _ = tr_site(key)
		pos = tr_strip(pos)
	} else {
		pos, line = tr_strip(frame.file), int(frame.line)
	}
	for i, p := range tr_hold.places {
		if p != "" && (line < 0 && p == pos || line >= 0 && tr_placeAt(p, pos, line)) {
			e.place |= tr_placeFirst << i
		}
	}
	for rest := tr_places.chosen; rest != ""; {
		var site string
		if site, rest = tr_cut(rest, ','); tr_choosesSite(site, pos, line, frame.name) {
			e.place |= tr_placeChosen
		}
	}
	return e.place
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
	if !tr_sched.on || !tr_canPass(gp) {
		return
	}
	var place tr_place
	systemstack(func() { place = tr_placeOf(s, pc) })
	if place&tr_placeChosen != 0 {
		op := sc_OpRead
		if kind&tr_write != 0 {
			op = sc_OpWrite
		}
		tr_syncPoint(op, sc_Access(a))
	}
	if place&tr_placePair != 0 {
		tr_holdAt(gp, a, n, kind, place)
	}
}
