//go:build taskinstr_runtime

// Suppressions: reports that a file excludes (suppressions=FILE). They are counted for
// each line of the file and listed at exit, so that a run without reports is not mistaken
// for a run without races.

package runtime

import "unsafe"

// tr_suppressions holds the file, outside the heap. tr_reportLock guards the counters.
var tr_suppressions struct {
	text   string
	counts uintptr // [lines]uint32: the reports that each line suppressed
	total  uint32
}

// tr_withheld counts the reports that a suppression or the baseline withheld, by tier.
var tr_withheld struct{ races, predicted uint32 }

func tr_readSuppressions() {
	s := &tr_suppressions
	s.text = tr_readFile(tr_opt.suppressions, "suppressions")
	lines := uintptr(1)
	for i := 0; i < len(s.text); i++ {
		if s.text[i] == '\n' {
			lines++
		}
	}
	s.counts = uintptr(tr_alloc(lines * 4))
}

// tr_readFile returns the contents of a file that an option names.
func tr_readFile(file, option string) string {
	var name [4096]byte
	if len(file) >= len(name) {
		print("taskinstr: ", option, ": file name too long\n")
		exit(tr_exitUsage)
	}
	copy(name[:], file)
	fd := tr_open(&name[0])
	if fd < 0 {
		print("taskinstr: ", option, ": cannot open ", file, "\n")
		exit(tr_exitUsage)
	}
	size, n := uintptr(64<<10), uintptr(0)
	p := tr_alloc(size)
	for {
		if n == size {
			q := tr_alloc(2 * size)
			memmove(q, p, n)
			me_Free(p, size)
			p, size = q, 2*size
		}
		k := read(fd, add(p, n), int32(min(size-n, 1<<20)))
		if k <= 0 {
			break
		}
		n += uintptr(k)
	}
	closefd(fd)
	return unsafe.String((*byte)(p), int(n))
}

// tr_suppressedBy returns the counter of a line of the file.
func tr_suppressedBy(line uintptr) *uint32 {
	return (*uint32)(unsafe.Pointer(tr_suppressions.counts + 4*line))
}

// tr_suppress returns the number of the line that suppresses a report, and counts the
// report if there is one.
func tr_suppress(r *ra_Report) (line uintptr, ok bool) {
	s := &tr_suppressions
	if s.text == "" {
		return 0, false
	}
	kind := "race"
	if r.Predicted {
		kind = "predicted"
	}
	if line, ok = tr_printLine(kind, tr_fingerprint(r)); !ok {
		line, ok = tr_suppressingLine(kind, &r.Cur)
	}
	if !ok {
		line, ok = tr_suppressingLine(kind, &r.Prev)
	}
	if ok {
		*tr_suppressedBy(line)++
		s.total++
	}
	return line, ok
}

// tr_printLine returns the number of the first line whose TEXT is the fingerprint.
func tr_printLine(kind string, print uint64) (line uintptr, ok bool) {
	for rest := tr_suppressions.text; rest != ""; line++ {
		var l string
		l, rest = tr_suppressionLine(rest)
		for _, k := range [...]string{kind, "fingerprint"} {
			if len(l) > len(k) && tr_hasPrefix(l, k) && l[len(k)] == ':' {
				if p, ok := tr_parsePrint(l[len(k)+1:]); ok && p == print {
					return line, true
				}
			}
		}
	}
	return 0, false
}

// tr_suppressingLine returns the number of the first line of the file that matches a
// frame of one side's stack.
func tr_suppressingLine(kind string, a *ra_Side) (line uintptr, ok bool) {
	f := tr_framesOf(a.PC, a.Stack)
	for {
		l, ok := f.next()
		if !ok {
			return 0, false
		}
		if line, ok := tr_matchingLine(kind, l.name); ok {
			return line, true
		}
		if line, ok := tr_matchingLine(kind, l.file); ok {
			return line, true
		}
	}
}

// tr_matchingLine returns the number of the first line KIND:TEXT whose TEXT matches s.
func tr_matchingLine(kind, s string) (line uintptr, ok bool) {
	for rest := tr_suppressions.text; rest != ""; line++ {
		var l string
		l, rest = tr_suppressionLine(rest)
		if len(l) > len(kind)+1 && tr_hasPrefix(l, kind) && l[len(kind)] == ':' && tr_matches(s, l[len(kind)+1:]) {
			return line, true
		}
	}
	return 0, false
}

// tr_suppressionLine cuts off the first line, without space at its end.
func tr_suppressionLine(text string) (line, rest string) {
	line, rest = tr_cut(text, '\n')
	for len(line) > 0 && (line[len(line)-1] == '\r' || line[len(line)-1] == ' ') {
		line = line[:len(line)-1]
	}
	return line, rest
}

// tr_matches reports whether a part of s matches a pattern, in which * stands for any text, ^
// in front for the beginning of s, and $ at the end for its end.
func tr_matches(s, pattern string) bool {
	fixed := pattern != "" && pattern[0] == '^' // the next piece is at the front of s
	if fixed {
		pattern = pattern[1:]
	}
	for {
		n := 0
		for n < len(pattern) && pattern[n] != '*' && pattern[n] != '$' {
			n++
		}
		piece := pattern[:n]
		if pattern = pattern[n:]; pattern == "$" {
			i := len(s) - n
			return i >= 0 && s[i:] == piece && (i == 0 || !fixed)
		}
		i := 0
		for i+n <= len(s) && s[i:i+n] != piece {
			i++
		}
		if i+n > len(s) || fixed && i > 0 {
			return false
		}
		if pattern == "" {
			return true
		}
		s, pattern, fixed = s[i+n:], pattern[1:], false
	}
}

//go:noinline
func tr_contains(s, sub string) bool {
	for i := 0; i+len(sub) <= len(s); i++ {
		if s[i:i+len(sub)] == sub {
			return true
		}
	}
	return false
}

// tr_putSuppressed writes the number of reports that each line of the file suppressed.
func tr_putSuppressed() {
	s := &tr_suppressions
	if s.total == 0 {
		return
	}
	if !tr_opt.json {
		tr_puts("Suppressed ")
		tr_putn(uint64(s.total))
		tr_puts(" report(s), by ")
		tr_puts(tr_opt.suppressions)
		tr_puts(":\n")
	}
	line := uintptr(0)
	for rest := s.text; rest != ""; line++ {
		var l string
		l, rest = tr_suppressionLine(rest)
		n := *tr_suppressedBy(line)
		switch {
		case n == 0:
		case tr_opt.json:
			tr_puts(`{"type":"suppressed","suppression":`)
			tr_putq(l)
			tr_puts(`,"reports":`)
			tr_putn(uint64(n))
			tr_puts("}\n")
		default:
			tr_puts("  ")
			tr_putn(uint64(n))
			tr_puts(" by ")
			tr_puts(l)
			tr_puts("\n")
		}
	}
}
