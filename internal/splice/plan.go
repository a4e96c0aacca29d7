package splice

import (
	"fmt"
	"go/ast"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"taskinstr/internal/site"
)

// A Plan decides about the accesses of one package. A nil plan checks everything. A
// decision has no effect, and the access is checked, if the text of the file has changed,
// or if the package has no such access or loop.
type Plan struct {
	Files   map[string]string // base name -> Digest of the analysed text
	Fates   map[site.Key]Fate // absent: checked
	Inserts []Insert
	Calls   []Call     // calls that go to copies without checks, or with one wide check (version.go)
	Lent    []site.Pos // the called names of calls that go to the copies of Borrowers, of this package or an imported one (borrow.go)
	// Borrowers are the functions that get a copy for callers whose task owns the memory of the first operand.
	Borrowers []Borrower
	// Overwrites are the types of other packages whose values this one overwrites, as PATH.NAME; nil if they are not known.
	// The checks of these packages whose Fate has such a Final are made.
	Overwrites []string
	Loads      []Load // atomic loads that need no record, see Load
	Leaks      []Leak // statements behind which other code may know objects of pooled types; see Fate.Pooled
	// Why has the reasons why accesses have checks. It is nil unless they are asked for, and then
	// goes into the site table.
	Why map[site.Key]string
}

// Empty reports whether the plan decides nothing, and gives no reasons.
func (p *Plan) Empty() bool {
	return len(p.Fates)+len(p.Inserts)+len(p.Calls)+len(p.Borrowers)+len(p.Lent)+len(p.Leaks)+len(p.Loads)+len(p.Why) == 0 && p.Overwrites == nil
}

// A Fate is a plan's decision about one access.
type Fate struct {
	Omit bool   // no check
	Flag string // the check is made only while this variable is false; see Insert.Flags
	// Final is a struct type of the package. The check is made only if another package of the program overwrites values of it.
	// Then the linker sets the variable FinalVar(Final) to a text that is not empty.
	Final string `json:",omitempty"`
	// Pooled is a type of the package. The check is made once a statement of Plan.Leaks with this type has run.
	Pooled string `json:",omitempty"`
	Once   bool   // the check sets the flag
	// Flag is not a bool but one of Insert.Gathers. The program checks neighbouring
	// elements together.
	Gather bool
	Down   bool       // Gather: the access mostly extends a range downwards
	Len    int64      // if not 0, the check is of that many bytes
	Back   int64      // with Len: the check begins that many bytes before the access
	For    []site.Key // the accesses that the check covers beside its own
}

// An Insert is code that stands in front of a loop, in a block around the loop. Several
// inserts at one loop follow each other in the order of the plan. A flat insert stands in
// front of a statement of a list, and its flags hold until the end of the list.
//
// In Text, words that begin with $ are replaced:
//
//	$span(v, lo, hi, k, $0)                       checks the elements [lo, hi) of slice v
//	$step(v, lo, n, stride, k, $0)                checks n elements from lo on, stride elements apart
//	$part(v, lo, n, stride, off, size, k, $0)     checks size bytes at offset off of each of these elements
//	$through(v, lo, n, stride, off, size, k, $0)  checks size bytes at offset off of the target of each
//	$nil(v, lo, n, stride)                        reports whether one of the elements is nil
//	$one(p)                                       is the target of p as a slice
//	$min, $max, $floor, $ceil                     are functions of ints: the least and the greatest,
//	                                              the quotient rounded down and up
//
// The check is of kind k (0 read, 1 write) at Sites[0], for $0. Text itself tests first
// that the elements lie within len(v).
//
// If Text sets a flag, and no access sets it, the loop gets two versions (version.go).
//
// Splicing declares the variables of Gathers for the whole function. Their ranges are
// checked behind the loop, or when the function is left. Two conditions hold: the
// function's deferred calls are known before the loop, as site.Deferred says, and the loop
// contains nothing that may order tasks.
type Insert struct {
	File      string       // base name
	Line, Col int          // position of the keyword for, or of the statement
	Flat      bool         // it stands in front of a statement that is no loop and has no label
	Text      string       // its statements, on one line
	Sites     [][]site.Key // for each check, the accesses that it covers; a report is about the first and lists the others
	Gathers   []string     // variables that collect ranges in the loop, each for accesses of one kind
	Arrays    []string     // nil, or for each of Gathers the slice of all its elements, behind conditions and a semicolon; "": not known
	Flags     []string     // the variables that Text declares. Accesses in the loop or list may use them, except in function literals there
	Calls     []Call       // calls that go to clones while the loop's flag is set: those in the loop, and those in functions that it calls in this way
}

// planned reports whether the plan decides about this file.
func (f *file) planned() bool {
	p := f.pkg.cfg.Plan
	if p == nil {
		return false
	}
	d, ok := p.Files[filepath.Base(f.Token.Name())]
	return ok && d == site.Digest(f.Text)
}

// A fated is the fate of an access with the access's key.
type fated struct {
	Fate
	key site.Key
}

// fate returns the plan's decision about an access of e.
func (f *file) fate(e ast.Node, write, elems bool) fated {
	if !f.plan {
		return fated{}
	}
	return f.fateOf(e, f.TextOf(e), write, elems)
}

func (f *file) fateOf(e ast.Node, expr string, write, elems bool) fated {
	if !f.plan || f.fn.nosplit || f.fn.global {
		return fated{}
	}
	k := f.KeyOf(e, expr, write, elems)
	if f.omits[k] {
		return fated{Fate{Omit: true}, k}
	}
	p := f.pkg.cfg.Plan
	t, ok := p.Fates[k]
	if !ok {
		return fated{}
	}
	if t.Flag != "" && !f.fn.flags[t.Flag] {
		return fated{} // the code that declares the flag is not around the access
	}
	seen := f.pkg.used[k]
	f.pkg.used[k] = true
	switch {
	case seen:
	case t.Omit:
		f.pkg.stats.Omitted++
	case t.Flag != "" || t.Final != "" || t.Pooled != "":
		f.pkg.stats.Guarded++
	}
	return fated{t, k}
}

// omitPart reports whether the plan leaves out a check that is not of exactly the bytes of
// a place: of the length of a slice, or of the elements of a builtin call. Such a check has
// no flag and covers no other access.
func (f *file) omitPart(e ast.Node, write, elems bool) bool {
	return f.fate(e, write, elems).Omit
}

// also returns the text for the site table that lists the accesses that a check covers
// beside its own access.
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

// samePlace returns the key without the kind of the access: op= is a read and a write of
// one place.
func samePlace(k site.Key) site.Key {
	k.Write = false
	return k
}

// stands returns the accesses that a check of fate t covers: the accesses that the plan
// lists, and the accesses that the program skips once the check was made.
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

// A onceKey is a variable that several accesses share: a flag that the first of their
// checks sets, or the range that they collect.
type onceKey struct{ file, flag string }

// shareOnce finds the accesses that share such a variable.
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

// filterLimit is the number of bytes of the shortest access that the task's filter does not
// hold.
const filterLimit = 64

// opening returns the start of a check by helper name (_ti_r or _ti_w) of an access with
// the given fate.
func (f *file) opening(name string, t fated) part {
	switch {
	case t.Len > 0:
		name += "x"
		if f.fn.loops > 0 && t.Len < filterLimit {
			name += "l"
		}
		f.fn.note(name)
		return part{kind: partCall, text: name, fn: f.fn, flag: wideOperands(t.Back, t.Len)}
	case t.Final != "":
		f.pkg.finals[t.Final] = true
		return part{kind: partCall, text: name + "u", fn: f.fn, flag: FinalVar(t.Final) + `==""`}
	case t.Pooled != "":
		return part{kind: partCall, text: name + "u", fn: f.fn, flag: "!" + f.pkg.leaked(t.Pooled)}
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
		if t.Down {
			name += "d"
		}
	case t.Once:
		name, amp = name+"o", "&"
	default:
		name += "f"
	}
	f.fn.note(name)
	return part{kind: partCall, text: name, fn: f.fn, flag: amp + t.Flag}
}

// FinalVar returns the variable of a struct type, which the linker sets if another package overwrites values of the type.
func FinalVar(name string) string { return "_ti_final_" + name }

// finalVars declares these variables.
func (p *pkg) finalVars() string {
	var b strings.Builder
	for _, t := range slices.Sorted(maps.Keys(p.finals)) {
		fmt.Fprintf(&b, "\nvar %s string\n", FinalVar(t))
	}
	return b.String()
}

// wideOperands returns the operands of a helper for the check of n bytes that begin back bytes
// before the access, or behind its first byte if back is negative.
func wideOperands(back, n int64) string { return fmt.Sprintf("%d,%d", uint64(back), n) }

// inserts returns the code of the plan in front of loop s and makes its flags available in
// the loop. If flag is not "", the loop has two versions for it. outer is s or the labelled
// statement around it. The caller calls done behind the loop.
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

// flat adds the code of the plan in front of statement s of a list, and makes its flags
// available from there on. It adds none in a function with gotos, since a goto must not
// jump over a declaration.
func (f *file) flat(s ast.Stmt) {
	if !f.plan || f.skip || f.fn.nosplit || len(f.fn.targets) > 0 {
		return
	}
	if ps := f.insertsAt(s, true); len(ps) > 0 {
		a, b := f.Offset(s.Pos()), f.Offset(s.End())
		f.add(a, b, layerList, append(ps, source(a, b))...)
	}
}

// insertsAt returns the code in front of s, and makes its flags available.
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
			ps = append(ps, f.resync(f.Offset(s.Pos())))
		}
		if arrays := f.arrays(in); len(arrays) > 0 {
			if len(ps) > 0 {
				ps = append(ps, text("; "))
			}
			ps = append(append(ps, arrays...), f.resync(f.Offset(s.Pos())))
		}
		flags := map[string]bool{}
		maps.Copy(flags, f.fn.flags)
		for _, k := range slices.Concat(in.Flags, in.Gathers) {
			flags[k] = true
		}
		f.fn.flags = flags
	}
	return ps
}

// indexInserts maps each position to the Inserts of the plan there.
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

// insertsOf returns the indexes of the Inserts at s, in the order of the plan.
func (f *file) insertsOf(s ast.Stmt) []int { return f.pkg.inserts[f.PosOf(s.Pos())] }

// insert returns the code of an Insert.
func (f *file) insert(in Insert) []part {
	var ps []part
	loops := f.fn.loops
	f.fn.loops = max(loops, 1) // the checks take the task of the function
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

// siteOperand returns the accesses of the first site that the text of an Insert names.
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

// siteFor registers the site of a check in an Insert. The check covers the accesses keys
// and the accesses that their fates list.
func (f *file) siteFor(keys []site.Key, what string) string {
	k := keys[0]
	for _, s := range keys {
		keys = append(slices.Clip(keys), f.pkg.stands(fated{f.pkg.cfg.Plan.Fates[s], s})...)
	}
	name := filepath.Join(filepath.Dir(f.Fset.PositionFor(f.Syntax.Package, true).Filename), k.File)
	if f.pkg.cfg.Filename != nil {
		name = f.pkg.cfg.Filename(name)
	}
	return f.pkg.addSite(Row{
		Position: site.FormatPosition(name, k.Line, k.Col),
		Expr:     k.Expr,
		What:     what,
		Also:     also(k, keys),
		Kind:     kindOf(k),
		Why:      f.pkg.why(k),
	})
}

// unmatched counts the decisions of the plan that fit nothing in the package.
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
	p.stats.Unplanned += len(plan.Inserts) - len(p.inserted) + len(plan.Leaks) - len(p.leaks) + len(plan.Loads) - len(p.quiet)
}
