//go:build taskinstr_runtime

// The baseline (baseline=FILE): known reports, by fingerprint. Such a report is not made
// and fails nothing, but is counted. docs/use/ci.md describes the file.

package runtime

import "unsafe"

// tr_baseline holds the entries that have not expired, outside the heap. tr_reportLock
// guards the counters.
var tr_baseline struct {
	entries uintptr // [n]tr_baselineEntry
	n       uintptr
	total   uint32 // reports that were known
}

type tr_baselineEntry struct {
	print   uint64
	reports uint32
}

func (b *tr_baselineEntry) next() *tr_baselineEntry {
	return (*tr_baselineEntry)(add(unsafe.Pointer(b), unsafe.Sizeof(*b)))
}

// tr_everyReport as the name of the baseline makes every report known.
const tr_everyReport = "*"

func tr_readBaseline() {
	if tr_opt.baseline == tr_everyReport {
		return
	}
	b := &tr_baseline
	sec, _, _ := time_now()
	today := sec / (24 * 60 * 60)
	room := uintptr(0)
	tr_eachEntry("baseline", tr_opt.baseline, func(line, print uint64, until int64, comment string) {
		if until < today {
			return
		}
		if b.n == room {
			old := room
			room = max(1<<8, 2*room)
			const size = unsafe.Sizeof(tr_baselineEntry{})
			p := tr_alloc(room * size)
			if old > 0 {
				memmove(p, unsafe.Pointer(b.entries), old*size)
				me_Free(unsafe.Pointer(b.entries), old*size)
			}
			b.entries = uintptr(p)
		}
		(*tr_baselineEntry)(unsafe.Pointer(b.entries + b.n*unsafe.Sizeof(tr_baselineEntry{}))).print = print
		b.n++
	})
}

// tr_eachEntry calls f with each entry of a file of known reports: its line, the fingerprint, its last day (the
// number of days since 1970) and the comment.
func tr_eachEntry(option, file string, f func(line, print uint64, until int64, comment string)) {
	bad := func(line uint64, what string) {
		print("taskinstr: ", option, ": ", file, ":", line, ": ", what, "\n")
		exit(tr_exitUsage)
	}
	text := tr_readFile(file, option)
	for line := uint64(1); text != ""; line++ {
		var l string
		l, text = tr_suppressionLine(text)
		if l == "" || l[0] == '#' {
			continue
		}
		word, rest := tr_cut(l, ' ')
		fingerprint, ok := tr_parsePrint(word)
		if !ok {
			bad(line, "no fingerprint (16 hexadecimal digits) at its begin")
		}
		last := int64(1<<63 - 1)
		const until = "until="
		if word, _ = tr_cut(rest, ' '); tr_hasPrefix(word, until) {
			if last, ok = tr_parseDay(word[len(until):]); !ok {
				bad(line, "the day behind until= is not YYYY-MM-DD")
			}
		} else if word != "" && word[0] != '#' && !tr_hasPrefix(word, "reason=") {
			bad(line, "behind the fingerprint stands neither until=, reason= nor #")
		}
		f(line, fingerprint, last, tr_comment(rest))
	}
}

// tr_comment returns the text behind the first # outside of quotes.
func tr_comment(s string) string {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case quoted && s[i] == '\\':
			i++
		case !quoted && s[i] == '#':
			for i++; i < len(s) && s[i] == ' '; i++ {
			}
			return s[i:]
		}
	}
	return ""
}

// tr_parsePrint reads a fingerprint.
func tr_parsePrint(s string) (print uint64, ok bool) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case '0' <= c && c <= '9':
			print = print<<4 | uint64(c-'0')
		case 'a' <= c && c <= 'f':
			print = print<<4 | uint64(c-'a'+10)
		default:
			return 0, false
		}
	}
	return print, len(s) == 16
}

// tr_parseDay returns the days from 1970-01-01 to a day of the form YYYY-MM-DD.
func tr_parseDay(s string) (days int64, ok bool) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	y, ok1 := tr_atoi(s[:4], 9999)
	m, ok2 := tr_atoi(s[5:7], 12)
	d, ok3 := tr_atoi(s[8:], 31)
	if !ok1 || !ok2 || !ok3 || y < 1970 || m < 1 || d < 1 {
		return 0, false
	}
	// Years begin in March here, so that the leap day is the last one of its year.
	m -= 2
	if m <= 0 {
		m += 12
		y--
	}
	return int64(365*y+y/4-y/100+y/400+367*m/12+d) - 719499, true
}

// tr_knows reports whether the baseline contains a report, and counts the report if so.
func tr_knows(r *ra_Report) bool {
	b := &tr_baseline
	if tr_opt.baseline == tr_everyReport {
		b.total++
		return true
	}
	if b.n == 0 {
		return false
	}
	print := tr_fingerprint(r)
	e := (*tr_baselineEntry)(unsafe.Pointer(b.entries))
	for range b.n {
		if e.print == print {
			e.reports++
			b.total++
			return true
		}
		e = e.next()
	}
	return false
}

// tr_putKnown writes the number of reports for each entry of the baseline.
func tr_putKnown() {
	b := &tr_baseline
	if b.total == 0 {
		return
	}
	if !tr_opt.json {
		tr_puts("Known ")
		tr_putn(uint64(b.total))
		tr_puts(" report(s), by baseline ")
		tr_puts(tr_opt.baseline)
		tr_puts("\n")
	}
	e := (*tr_baselineEntry)(unsafe.Pointer(b.entries))
	for range b.n {
		switch {
		case e.reports == 0:
		case tr_opt.json:
			tr_puts(`{"type":"known","fingerprint":"`)
			tr_puthex(e.print, 16)
			tr_puts(`","reports":`)
			tr_putn(uint64(e.reports))
			tr_puts("}\n")
		default:
			tr_puts("  ")
			tr_putn(uint64(e.reports))
			tr_puts(" by ")
			tr_puthex(e.print, 16)
			tr_puts("\n")
		}
		e = e.next()
	}
}
