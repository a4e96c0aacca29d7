//go:build taskinstr_runtime

// Pairs of accesses that earlier runs have reported (confirm=FILE): the program drives each of them
// to happen, as hold.go says, and tells at its end which have happened and what has prevented the
// others. The file is a baseline, whose comments name the accesses (docs/use/ci.md).

package runtime

// tr_pairs says which file names the pairs.
var tr_pairs struct {
	file string // "": no pairs are driven
	more uint32 // entries for which there was no room
}

// tr_readPairs reads the pairs of the option confirm.
func tr_readPairs() {
	name := tr_opt.confirm
	switch {
	case name == "" || name == "0":
		return
	case tr_holds:
		print("taskinstr: confirm=", name, ": hold names a pair already; leave out one of them\n")
		exit(tr_exitUsage)
	case name == "1" && (tr_opt.baseline == "" || tr_opt.baseline == tr_everyReport):
		print("taskinstr: confirm=1 drives the pairs of the baseline: name it with baseline=FILE, or another file with confirm=FILE\n")
		exit(tr_exitUsage)
	case name == "1":
		name = tr_opt.baseline
	}
	tr_pairs.file = name
	tr_eachEntry("confirm", name, func(line uint64, print uint64, until int64, comment string) {
		h := &tr_hold
		if h.n == tr_holdPairs {
			tr_pairs.more++
			return
		}
		p := &h.pairs[h.n]
		h.n++
		p.print, p.line = print, uint32(line)
		const race, predicted = "race: ", "predicted race: "
		if p.predicted = tr_hasPrefix(comment, predicted); p.predicted {
			comment = comment[len(predicted):]
		} else if tr_hasPrefix(comment, race) {
			comment = comment[len(race):]
		}
		p.sides[0], p.sides[1] = tr_cutSides(comment)
	})
	if tr_hold.n == 0 && tr_opt.confirm == "1" {
		tr_pairs.file = "" // nothing is known any more
		return
	}
	if tr_hold.n == 0 {
		print("taskinstr: confirm: ", name, " has no line with a fingerprint\n")
		exit(tr_exitUsage)
	}
	tr_holds, tr_sited = true, true
}

// tr_verbs begin the description of an access.
var tr_verbs = [...]string{"read", "write", "atomic read", "atomic write"}

// tr_verb returns the kind of an access.
func tr_verb(a *ra_Side) string { return tr_verbs[a.Kind&(tr_write|tr_atomic)] }

// tr_cutSides cuts the descriptions of two accesses, "KIND of EXPRESSION in FUNCTION, KIND of ...". It returns
// empty ones if there are none.
func tr_cutSides(s string) (a, b string) {
	for i := 0; i+2 < len(s); i++ {
		if s[i] == ',' && s[i+1] == ' ' && tr_isSide(s[i+2:]) && tr_isSide(s) {
			return s[:i], s[i+2:]
		}
	}
	return "", ""
}

func tr_isSide(s string) bool {
	for _, verb := range tr_verbs {
		if tr_hasPrefix(s, verb) && tr_hasPrefix(s[len(verb):], " of ") {
			return true
		}
	}
	return false
}

// tr_holdSide reports whether a description is that of an access, of which the stack need not be known.
// The expression counts if there is exactly one.
func tr_holdSide(want string, a *ra_Side) bool {
	const of, in = " of ", " in "
	verb := tr_verb(a)
	l, ok := tr_userFrame(a.PC, 0)
	if !ok || !tr_hasPrefix(want, verb) || !tr_hasPrefix(want[len(verb):], of) {
		return false
	}
	want = want[len(verb)+len(of):]
	end := len(want) - len(in) - len(l.name)
	if end < 0 || want[end:end+len(in)] != in || want[end+len(in):] != l.name {
		return false
	}
	if a.Site == 0 {
		return true
	}
	names := tr_describe(a).names
	expr := names.list[0].expr
	if k := len(expr) - len(tr_shortened); k > 0 && expr[k:] == tr_shortened {
		expr = expr[:k]
	}
	return names.n != 1 || want[:end] == expr
}

// tr_pairOf returns the pair of a report, nil if it is none that is driven.
func tr_pairOf(r *ra_Report) *tr_pair {
	if tr_pairs.file == "" {
		return nil
	}
	print := tr_fingerprint(r)
	for i := range tr_hold.n {
		if p := &tr_hold.pairs[i]; p.print == print {
			return p
		}
	}
	return nil
}

// tr_confirms notes that a pair was reported. It reports whether the race is news: the file calls it a prediction.
func tr_confirms(r *ra_Report) bool {
	p := tr_pairOf(r)
	if p == nil || r.Predicted {
		return false
	}
	p.raced = true
	return p.predicted
}

// tr_putConfirmed writes what has become of each pair.
func tr_putConfirmed() {
	if tr_pairs.file == "" {
		return
	}
	tr_uncache()
	if tr_opt.folder != "" {
		fd, json := tr_beginKeep()
		tr_putPairs()
		tr_endKeep(fd, json)
	}
	tr_putPairs()
}

func tr_putPairs() {
	h := &tr_hold
	if !tr_opt.json {
		n := 0
		for i := range h.n {
			if h.pairs[i].raced {
				n++
			}
		}
		tr_puts("Confirmed ")
		tr_putn(uint64(n))
		tr_puts(" of ")
		tr_putn(uint64(h.n))
		tr_puts(" pair(s) of ")
		tr_puts(tr_pairs.file)
		tr_puts("\n")
	}
	for i := range h.n {
		p := &h.pairs[i]
		if tr_opt.json {
			tr_puts(`{"type":"pair","fingerprint":"`)
			tr_puthex(p.print, 16)
			tr_puts(`","confirmed":`)
			tr_putBool(p.raced)
			tr_puts(`,"came":`)
			tr_putn(uint64(p.came))
			tr_puts(`,"reason":`)
			tr_quote()
			p.putReason()
			tr_unquote()
			tr_puts("}\n")
			continue
		}
		tr_puts("  ")
		tr_puthex(p.print, 16)
		if p.raced {
			tr_puts(": confirmed: ")
		} else {
			tr_puts(": not confirmed: ")
		}
		p.putReason()
		tr_puts("\n")
	}
	if tr_pairs.more > 0 && !tr_opt.json {
		tr_puts("  not driven, because a run drives at most ")
		tr_putn(tr_holdPairs)
		tr_puts(" pairs: ")
		tr_putn(uint64(tr_pairs.more))
		tr_puts("\n")
	}
}

// putReason writes why the pair has happened or has not.
func (p *tr_pair) putReason() {
	const both = 3
	switch {
	case p.raced && p.met > 0:
		tr_puts("two tasks were at their accesses at the same time")
	case p.raced:
		tr_puts("it has happened without being driven")
	case p.sides[0] == "":
		tr_puts("line ")
		tr_putn(uint64(p.line))
		tr_puts(" does not end with the two accesses, as lines of -baseline-update do")
	case p.came == 0:
		tr_puts("no task came to either access while another one was running")
	case p.came != both:
		tr_puts("no task came to the ")
		tr_puts(p.sides[2-p.came])
		tr_puts(" while another one was running")
	case p.met > 0:
		tr_puts("two tasks were at their accesses at the same time, and something else orders them")
	case p.held > 0:
		tr_putn(uint64(p.held))
		tr_puts(" time(s) a task waited before its access; no other one came to the other access of the same memory meanwhile, because it waited for the first one or had made it before")
	default:
		tr_puts("no task could wait before its access")
	}
}
