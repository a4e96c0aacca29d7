package splice

import (
	"fmt"
	"go/ast"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"taskinstr/internal/site"
)

// A Plan says what becomes of the accesses of one package. A nil plan checks
// everything, and so does what a plan says of a file whose text has changed, or
// of an access or loop that is not found.
type Plan struct {
	Files   map[string]string // base name -> Digest of the text as analysed
	Fates   map[site.Key]Fate // absent: checked
	Inserts []Insert
}

// A Fate is what becomes of one access.
type Fate struct {
	Omit bool   // no check
	Flag string // checked only while this variable is false; see Insert.Flags
	Once bool   // then the check sets it
	// Gather: Flag is no bool but one of Insert.Gathers. Neighbouring elements are
	// checked together.
	Gather bool
	Len    int64      // if not 0, the check is one of so many bytes, from the access on
	For    []site.Key // the accesses that this one's check stands for
}

// An Insert is code in front of a loop, in a block of its own around it; several
// at one loop follow each other in the order of the plan. A flat one stands in
// front of a statement of a list, and its flags hold until the list ends. In its
// text $span(v, lo, hi, k, $0) checks the elements [lo, hi) of slice v for
// accesses of kind k (0 read, 1 write) at Sites[0]; $step(v, lo, n, stride, k,
// $0) checks n elements from lo on, each stride elements further. $part(v, lo, n,
// stride, off, size, k, $0) checks size bytes at off of each of them, $through,
// with the same operands, of what each points to; $nil(v, lo, n, stride) reports
// whether one of them is nil; $one(p) is what p points to, as a slice. Whoever wrote
// the text has it test first that they lie within len(v). $min, $max, $floor and
// $ceil are functions of ints: the least and the greatest, the quotient rounded down
// and up.
//
// A flag that Text sets, and no access, gives the loop two versions (version.go).
//
// The variables of Gathers are declared by splicing, for the whole function, and
// what they have gathered is checked behind the loop, or when the function is left.
// The function's deferred calls must be known before the loop, as Deferred says, and
// the loop must have nothing that may order tasks.
type Insert struct {
	File      string       // base name
	Line, Col int          // of the keyword for, or of the statement
	Flat      bool         // in front of a statement that is no loop and has no label
	Text      string       // statements on one line
	Sites     [][]site.Key // the accesses that a check stands for; a report is about the first and lists the others
	Gathers   []string     // variables for accesses in the loop, each for those of one kind
	Flags     []string     // the variables that Text declares: accesses in the loop or list may use them, but not in function literals there
	Calls     []Call       // calls, in the loop and in functions that it calls so, that go to clones while the flag of the loop is set
}

// planned reports whether the plan speaks of this file.
func (f *file) planned() bool {
	p := f.pkg.cfg.Plan
	if p == nil {
		return false
	}
	d, ok := p.Files[filepath.Base(f.tok.Name())]
	return ok && d == site.Digest(f.src)
}

// A fated is the fate of the access with this key.
type fated struct {
	Fate
	key site.Key
}

// fate looks up what becomes of an access of e.
func (f *file) fate(e ast.Node, write, elems bool) fated {
	if !f.plan {
		return fated{}
	}
	return f.fateOf(e, f.textOf(e), write, elems)
}

func (f *file) fateOf(e ast.Node, expr string, write, elems bool) fated {
	if !f.plan || f.fn.nosplit || f.fn.global {
		return fated{}
	}
	k := f.KeyOf(e, expr, write, elems)
	p := f.pkg.cfg.Plan
	t, ok := p.Fates[k]
	if !ok {
		return fated{}
	}
	if t.Flag != "" && !f.fn.flags[t.Flag] {
		return fated{} // its Insert is not around it
	}
	seen := f.pkg.used[k]
	f.pkg.used[k] = true
	switch {
	case seen:
	case t.Omit:
		f.pkg.stats.Omitted++
	case t.Flag != "":
		f.pkg.stats.Guarded++
	}
	return fated{t, k}
}

// omitPart reports whether the plan leaves out a check of something else than
// the bytes of a place: the length in a slice, elements of a builtin call. Such a
// check has no flag, and stands for nothing.
func (f *file) omitPart(e ast.Node, write, elems bool) bool {
	t := f.fate(e, write, elems)
	return t.Omit
}

// also lists, for the site table, what a check of access own stands for beside it.
func also(own site.Key, keys []site.Key) string {
	var b strings.Builder
	seen := map[site.Key]bool{samePlace(own): true}
	for _, k := range keys {
		if seen[samePlace(k)] {
			continue
		}
		seen[samePlace(k)] = true
		if b.Len() > 0 {
			b.WriteByte('\t')
		}
		verb := "read"
		if k.Write {
			verb = "write"
		}
		fmt.Fprintf(&b, "%s of %s at %s", verb, k.Expr, site.FormatPosition(k.File, k.Line, k.Col))
	}
	return b.String()
}

// samePlace returns the key that all accesses of one place by one expression have in
// common: op= is a read and a write.
func samePlace(k site.Key) site.Key {
	k.Write = false
	return k
}

// stands returns what a check of fate t stands for: what the plan lists, and
// the accesses that are skipped once this check was made.
func (p *pkg) stands(t fated) []site.Key {
	list := t.For
	if t.Once || t.Gather {
		list = slices.Clip(list)
		for _, k := range p.once[onceKey{t.key.File, t.Flag}] {
			list = append(append(list, k), p.cfg.Plan.Fates[k].For...)
		}
	}
	return list
}

// A onceKey is a flag that the first check of several accesses sets, or a variable
// that gathers what they reach.
type onceKey struct{ file, flag string }

// shareOnce finds the accesses that share such flags.
func (p *pkg) shareOnce() {
	if p.cfg.Plan == nil {
		return
	}
	p.once = map[onceKey][]site.Key{}
	for k, t := range p.cfg.Plan.Fates {
		if t.Once || t.Gather {
			p.once[onceKey{k.File, t.Flag}] = append(p.once[onceKey{k.File, t.Flag}], k)
		}
	}
	for _, l := range p.once {
		sort.Slice(l, func(i, j int) bool { return l[i].Less(l[j]) })
	}
}

// guard returns the opening of a check by helper name (_ti_r or _ti_w) with the
// given fate.
func (f *file) opening(name string, t fated) part {
	switch {
	case t.Len > 0:
		name += "x"
		f.fn.note(name)
		return part{kind: partCall, text: name, fn: f.fn, flag: fmt.Sprint(t.Len)}
	case t.Flag == "":
		return f.helper(name)
	}
	amp := ""
	switch {
	case t.Gather:
		f.gather(t.Flag, t.key)
		amp = "_ti_gmiss,&"
		if name == "_ti_w" {
			amp = "_ti_gmissw,&"
		}
		name += "g"
	case t.Once:
		name, amp = name+"o", "&"
	default:
		name += "f"
	}
	f.fn.note(name)
	return part{kind: partCall, text: name, fn: f.fn, flag: amp + t.Flag}
}

// inserts returns the code that the plan has in front of loop s, inside outer, and
// makes its flags known inside. If flag is not "", the loop has two versions for it.
// The returned function ends all that.
func (f *file) inserts(s, outer ast.Stmt, label string) (code []part, flag string, done func()) {
	if !f.plan || f.skip || f.fn.nosplit || !f.movable(label) {
		return nil, "", func() {}
	}
	fn, flags, versions := f.fn, f.fn.flags, f.fn.versions
	if code = f.insertsAt(s, false); len(code) > 0 {
		flag = f.versioned(s, outer)
	}
	return code, flag, func() { fn.flags, fn.versions = flags, versions }
}

// flat puts the code that the plan has in front of statement s of a list there, and
// makes its flags known from there on. A goto must not jump over variables.
func (f *file) flat(s ast.Stmt) {
	if !f.plan || f.skip || f.fn.nosplit || len(f.fn.targets) > 0 {
		return
	}
	if ps := f.insertsAt(s, true); len(ps) > 0 {
		a, b := f.offset(s.Pos()), f.offset(s.End())
		f.add(a, b, layerList, append(ps, source(a, b))...)
	}
}

// insertsAt returns the code in front of s.
func (f *file) insertsAt(s ast.Stmt, flat bool) (ps []part) {
	for _, i := range f.insertsOf(s) {
		in := f.pkg.cfg.Plan.Inserts[i]
		if in.Flat != flat {
			continue
		}
		if len(in.Gathers) > 0 && (f.fn.unfit || f.fn.global || flat || f.fn.deferred != nil && s.Pos() < f.fn.deferred.End()) {
			continue
		}
		f.pkg.inserted[i] = true
		if in.Text != "" {
			if len(ps) > 0 && !flat {
				ps = append(ps, text("; "))
			}
			ps = append(ps, f.insert(in)...)
			if flat {
				ps = append(ps, text("; "))
			}
			ps = append(ps, f.resync(f.offset(s.Pos())))
		}
		flags := map[string]bool{}
		for k := range f.fn.flags {
			flags[k] = true
		}
		for _, k := range append(in.Flags[:len(in.Flags):len(in.Flags)], in.Gathers...) {
			flags[k] = true
		}
		f.fn.flags = flags
	}
	return ps
}

// indexInserts notes which Inserts of the plan stand at which statement.
func (p *pkg) indexInserts() {
	if p.cfg.Plan == nil {
		return
	}
	p.inserts = map[site.Pos][]int{}
	for i, in := range p.cfg.Plan.Inserts {
		at := site.Pos{File: in.File, Line: in.Line, Col: in.Col}
		p.inserts[at] = append(p.inserts[at], i)
	}
}

// insertsOf returns the numbers of the Inserts at s, in the order of the plan.
func (f *file) insertsOf(s ast.Stmt) []int { return f.pkg.inserts[f.pos(s.Pos())] }

// insert turns the text of an Insert into parts.
func (f *file) insert(in Insert) []part {
	var ps []part
	loops := f.fn.loops
	f.fn.loops = max(loops, 1) // the task is at hand
	for rest := in.Text; rest != ""; {
		i := strings.IndexByte(rest, '$')
		if i < 0 {
			ps = append(ps, text(rest))
			break
		}
		ps = append(ps, text(rest[:i]))
		n := i + 1
		for n < len(rest) && (rest[n] >= 'a' && rest[n] <= 'z' || rest[n] >= '0' && rest[n] <= '9') {
			n++
		}
		word := rest[i+1 : n]
		rest = rest[n:]
		switch word {
		case "span", "step", "part", "through":
			if ks, ok := siteOperand(rest, in.Sites); ok {
				// A report shows the line of the access, not of the loop.
				ps = append(ps, text(fmt.Sprintf("/*line :%d:%d*/", ks[0].Line, ks[0].Col)))
			}
			ps = append(ps, f.helper("_ti_"+word))
			rest = strings.TrimPrefix(rest, "(")
			f.pkg.stats.Spans++
		case "min", "max", "floor", "ceil", "nil", "one":
			f.pkg.helpers["_ti_"+word] = true
			ps = append(ps, text("_ti_"+word))
		default:
			k, err := strconv.Atoi(word)
			if err != nil || k >= len(in.Sites) || len(in.Sites[k]) == 0 {
				panic(fmt.Sprintf("plan: $%s in %q", word, in.Text))
			}
			what := "elements in a loop"
			if in.Flat {
				what = "elements"
			}
			ps = append(ps, text(f.siteFor(in.Sites[k], what)))
		}
	}
	for _, v := range in.Flags {
		ps = append(ps, text("; _ = "+v))
	}
	f.fn.loops = loops
	return ps
}

// siteOperand returns the accesses that are named next in the text of an Insert.
func siteOperand(text string, sites [][]site.Key) ([]site.Key, bool) {
	for {
		_, rest, ok := strings.Cut(text, "$")
		if !ok {
			return nil, false
		}
		n := 0
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		if i, err := strconv.Atoi(rest[:n]); err == nil && i < len(sites) {
			return sites[i], true
		}
		text = rest
	}
}

// siteFor registers a site of a check in an Insert, which stands for these
// accesses and those that their fates list.
func (f *file) siteFor(keys []site.Key, what string) string {
	k := keys[0]
	for _, s := range keys {
		keys = append(slices.Clip(keys), f.pkg.stands(fated{f.pkg.cfg.Plan.Fates[s], s})...)
	}
	name := filepath.Join(filepath.Dir(f.Fset.PositionFor(f.ast.Package, true).Filename), k.File)
	if f.pkg.cfg.Filename != nil {
		name = f.pkg.cfg.Filename(name)
	}
	return f.pkg.addSite(Row{
		Position: site.FormatPosition(name, k.Line, k.Col),
		Expr:     k.Expr,
		What:     what,
		Also:     also(k, keys),
		Kind:     kindOf(k),
	})
}

// unmatched counts what the plan has and the package has not.
func (p *pkg) unmatched() {
	plan := p.cfg.Plan
	if plan == nil {
		return
	}
	for k := range plan.Fates {
		if !p.used[k] {
			p.stats.Unplanned++
		}
	}
	p.stats.Unplanned += len(plan.Inserts) - len(p.inserted)
}
