//go:build taskinstr_runtime

// The text of a verdict, also as JSON (docs/use/report-format.md). The names of theorems come
// from package theorem, which taskinstr detect uses as well.

package runtime

// The names of detectors. -detector=NAME is a build setting.
const (
	tr_nameOfEngine  = "engine"
	tr_nameOfESPBags = "espbags"
	tr_nameOfDRDP    = "drdp"
)

//go:noinline
func tr_detector() string {
	if name := tr_setting("taskinstr.detector="); name != "" {
		return name
	}
	return tr_nameOfEngine
}

// tr_putVerdict writes the verdict.
func tr_putVerdict() {
	claim, proved := tr_claim()
	if tr_opt.json {
		tr_puts(`{"type":"verdict","detector":`)
		tr_putq(tr_detector())
		tr_puts(`,"verdict":`)
		tr_putq(claim)
		tr_puts(`,"theorem":`)
		tr_putq(string(proved))
		tr_puts(`,"races":`)
		tr_putn(uint64(tr_races))
		tr_puts(`,"predicted":`)
		tr_putn(uint64(tr_predicted))
		tr_puts(`,"suppressed":`)
		tr_putn(uint64(tr_withheld.races + tr_withheld.predicted))
		tr_puts(`,"packages":`)
		tr_putq(tr_checkedPackages())
		tr_puts(`,"outside":[`)
		tr_putPlaces(true)
		tr_puts(`],"choices":[`)
		tr_putPlaces(false)
		tr_puts("]}\n")
		return
	}
	tr_puts("verdict: ")
	tr_puts(claim)
	if proved == "" {
		tr_putc('\n')
		if tr_verdict.left || tr_races|tr_predicted != 0 { // which may have ordered the accesses
			tr_putPlaces(true)
		}
		return
	}
	if pkgs := tr_checkedPackages(); pkgs != "all" {
		tr_puts(", in the packages that are checked (")
		tr_puts(pkgs)
		tr_putc(')')
	}
	if proved != th_AnySchedule && proved != th_Determinate {
		tr_putc(':')
	}
	tr_putc('\n')
	tr_putPlaces(true)
	tr_putPlaces(false)
	tr_puts("theorem: ")
	tr_puts(string(proved))
	tr_puts(" (detector ")
	tr_puts(tr_detector())
	tr_puts(")\n")
}

// tr_claim returns the sentence of the verdict, and the theorem if one is proved.
func tr_claim() (claim string, proved th_Theorem) {
	switch {
	case tr_tracing:
		return "none, since races are not looked for while a trace is written", ""
	case tr_races > 0:
		return "data races were found", ""
	case tr_withheld.races > 0:
		return "data races were found, and their reports suppressed", ""
	case tr_silenced > 0:
		return "data races were found or predicted, and report_bugs=0 left their reports out", ""
	case tr_predicted > 0:
		return "data races were predicted: other schedules of this input have them", ""
	case tr_withheld.predicted > 0:
		return "data races were predicted, and their reports suppressed: other schedules of this input have them", ""
	}
	v := &tr_verdict
	_, _, conflicts := tr_engine.Conflict(0)
	switch {
	case v.left:
		return "no race found; nothing is proved, since tasks did not run in depth-first order", ""
	case tr_inexact() != 0:
		return "no race found; nothing is proved, since more tasks lived at once than exact clocks have places for: races may be missed, and some or all predictions were given up", ""
	case v.n > 0 || v.full || !tr_engine.JoinsSections():
		proved = th_SameChoices
	case conflicts && tr_detector() == tr_nameOfESPBags:
		proved = th_SameOperations // it compares locksets, regardless of the order of sections
	case conflicts:
		proved = th_SameChoices
	case tr_detector() == tr_nameOfDRDP:
		proved = th_Determinate
	default:
		proved = th_AnySchedule
	}
	return proved.Text(), proved
}

// A tr_where is a position, if known: the position of a site with its expression, or a
// line.
type tr_where struct {
	pos, expr, file string
	line            int
}

func tr_whereOf(site, pc uintptr) tr_where {
	if site != 0 {
		if pos, expr, _, _ := tr_site(site); pos != "" {
			return tr_where{pos: pos, expr: expr}
		}
	}
	l, _ := tr_userFrame(pc, 0)
	return tr_where{file: l.file, line: int(l.line)}
}

func (p *tr_where) put() {
	switch {
	case p.pos != "":
		tr_puts(tr_strip(p.pos))
	case p.file != "":
		tr_puts(tr_strip(p.file))
		tr_putc(':')
		tr_putn(uint64(p.line))
	case !tr_opt.json:
		tr_puts("an unknown place")
	}
}

// tr_outsideModel reports whether choices of a kind are outside of the detector's model.
func tr_outsideModel(kind uint32) bool {
	return kind >= tr_choiceOrder || kind == tr_choiceHandover && tr_detector() != tr_nameOfEngine
}

// tr_putPlaces lists the operations outside of the detector's model, or else the choices,
// each kind and position once.
func tr_putPlaces(outside bool) {
	v := &tr_verdict
	n := 0
	known := min(v.n, tr_maxChoices)
	for i := uint32(0); i < known; i++ {
		c := v.choices[i]
		if tr_outsideModel(c.kind) != outside {
			continue
		}
		p, first := tr_whereOf(0, c.pc), true
		for k := uint32(0); k < known; k++ {
			if d := v.choices[k]; k != i && tr_choiceText(d.kind) == tr_choiceText(c.kind) && tr_whereOf(0, d.pc) == p {
				first = first && i < k
				c.count += d.count
			}
		}
		if first {
			tr_putPlaceOf(&n, outside, tr_choiceText(c.kind), &p, c.count)
		}
	}
	if outside {
		return
	}
	if v.n > tr_maxChoices {
		tr_putPlaceOf(&n, false, "more choices than are kept", nil, v.n-tr_maxChoices)
	}
	if v.full {
		tr_putPlaceOf(&n, false, "channels and atomic words past those that are watched", nil, 0)
	}
	if !tr_engine.JoinsSections() {
		tr_putPlaceOf(&n, false, th_Sections+" (predicted=warn would tell which matter)", nil, 0)
	}
	for i := uint32(0); ; i++ {
		site, pc, ok := tr_engine.Conflict(i)
		if !ok {
			return
		}
		p, first, count := tr_whereOf(site, pc), true, uint32(1)
		for k := uint32(0); ; k++ {
			site, pc, ok := tr_engine.Conflict(k)
			if !ok {
				break
			}
			if k != i && tr_whereOf(site, pc) == p {
				first = first && i < k
				count++
			}
		}
		if first {
			tr_putPlaceOf(&n, false, th_Conflicts, &p, count)
		}
	}
}

// tr_putPlaceOf writes one place, or a kind without one (p is nil). n counts the places
// written so far. count is the number of choices there, or of instructions whose accesses in
// critical sections conflict; 0: not counted.
func tr_putPlaceOf(n *int, outside bool, kind string, p *tr_where, count uint32) {
	if tr_opt.json {
		if *n++; *n > 1 {
			tr_putc(',')
		}
		tr_puts(`{"kind":`)
		if n := len(kind); kind[n-1] == ',' {
			kind = kind[:n-1]
		}
		tr_putq(kind)
		tr_puts(`,"position":`)
		tr_quote()
		if p != nil {
			p.put()
		}
		tr_unquote()
		tr_puts(`,"count":`)
		tr_putn(uint64(count))
		tr_putc('}')
		return
	}
	tr_puts("  ")
	if outside {
		tr_puts("outside of its model: ")
	}
	tr_puts(kind)
	if p != nil {
		tr_puts(" at ")
		p.put()
		if p.expr != "" {
			tr_puts(" (")
			tr_puts(p.expr)
			tr_putc(')')
		}
	}
	if count > 1 {
		tr_puts(", ")
		tr_putn(uint64(count))
		if kind == th_Conflicts {
			tr_puts(" accesses")
		} else {
			tr_puts(" times")
		}
	}
	tr_putc('\n')
}

// tr_checkedPackages returns the patterns of the packages that the claim covers.
func tr_checkedPackages() string {
	if pkgs := tr_setting("taskinstr.pkgs="); pkgs != "" {
		return pkgs
	}
	return "all"
}

// tr_setting returns the value of a build setting. Settings of taskinstr are added to the
// go command's settings, at link time.
func tr_setting(name string) string {
	for info := modinfo; info != ""; {
		var line string
		line, info = tr_cut(info, '\n')
		if kind, s := tr_cut(line, '\t'); kind == "build" && tr_hasPrefix(s, name) {
			return s[len(name):]
		}
	}
	return ""
}
