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
	text := tr_readFile(tr_opt.baseline, "baseline")
	lines := uintptr(1)
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			lines++
		}
	}
	b := &tr_baseline
	b.entries = uintptr(ti_hostAlloc(lines * unsafe.Sizeof(tr_baselineEntry{})))
	sec, _, _ := time_now()
	today := sec / (24 * 60 * 60)
	e := (*tr_baselineEntry)(unsafe.Pointer(b.entries))
	for line := uint64(1); text != ""; line++ {
		var l string
		l, text = tr_suppressionLine(text)
		if l == "" || l[0] == '#' {
			continue
		}
		word, rest := tr_cut(l, ' ')
		print, ok := tr_parsePrint(word)
		if !ok {
			tr_badBaseline(line, "no fingerprint (16 hexadecimal digits) at its begin")
		}
		const until = "until="
		if word, _ = tr_cut(rest, ' '); tr_hasPrefix(word, until) {
			last, ok := tr_parseDay(word[len(until):])
			if !ok {
				tr_badBaseline(line, "the day behind until= is not YYYY-MM-DD")
			}
			if last < today {
				continue
			}
		} else if word != "" && word[0] != '#' && !tr_hasPrefix(word, "reason=") {
			tr_badBaseline(line, "behind the fingerprint stands neither until=, reason= nor #")
		}
		e.print = print
		e = e.next()
		b.n++
	}
}

func tr_badBaseline(line uint64, what string) {
	print("taskinstr: baseline: ", tr_opt.baseline, ":", line, ": ", what, "\n")
	exit(tr_exitUsage)
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
func tr_knows(r *ti_Report) bool {
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
