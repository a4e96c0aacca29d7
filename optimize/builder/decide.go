package builder

import (
	"fmt"
	"go/types"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass"
)

// Prove removes the check of site i, whose accesses cannot race.
func (b *Builder) Prove(i int, reason string) {
	b.fates[i] = Fate{Kind: Removed, Pass: b.pass.Name, Reason: reason, By: -1}
}

// Cover removes the check of site i, which the check of site by covers. If the paths to
// the access have different covers, further holds the others.
func (b *Builder) Cover(i, by int, reason string, further ...int) {
	b.fates[i] = Fate{Kind: Removed, Pass: b.pass.Name, Reason: reason, By: by, More: further}
	for _, c := range b.fates[i].Covers() {
		b.covers[c] = append(b.covers[c], i)
	}
}

// Guard makes the check of site i depend on the flag, which an Insert of the same pass
// declares. If once is set, the first check sets the flag.
func (b *Builder) Guard(i int, flag string, once bool, reason string) {
	b.fates[i] = Fate{Kind: Guarded, Pass: b.pass.Name, Reason: reason, By: -1, Flag: flag, Once: once}
}

// Final makes the check of site i depend on the rest of the program: the check is made if another package overwrites values of the
// struct type with this name, of the site's package.
func (b *Builder) Final(i int, name, reason string) {
	b.fates[i] = Fate{Kind: Guarded, Pass: b.pass.Name, Reason: reason, By: -1, Final: name}
}

// TypeOf returns the name of the type that of returns for all accesses of the site, a type of the site's package; "" if there is none.
// of is called for no access behind one that rules this out.
func (b *Builder) TypeOf(s *ssapass.Site, of func(ssa.Instruction) *types.TypeName) (name string) {
	for _, c := range s.Accesses {
		t := of(c.Instr)
		if t == nil || name != "" && name != t.Name() || t.Pkg().Path() != s.Pkg.Path() {
			return ""
		}
		name = t.Name()
	}
	return name
}

// Pooled makes the check of site i depend on the statements of b.Leak with this type, of the site's package: the check is made once
// one of them has run.
func (b *Builder) Pooled(i int, name, reason string) {
	b.fates[i] = Fate{Kind: Guarded, Pass: b.pass.Name, Reason: reason, By: -1, Pooled: name}
}

// Leak notes a statement behind which other code may know an object of a pooled type.
func (b *Builder) Leak(l Leak) { b.leaks = append(b.leaks, l) }

// Leaks returns these statements.
func (b *Builder) Leaks() []Leak { return b.leaks }

// Quiet notes an atomic load that needs no record.
func (b *Builder) Quiet(l QuietLoad) { b.quiet = append(b.quiet, l) }

// QuietLoads returns these loads.
func (b *Builder) QuietLoads() []QuietLoad { return b.quiet }

// Overwrite notes the types of other packages whose values the packages of the plan overwrite, as PATH.NAME.
func (b *Builder) Overwrite(types []string) { b.overwrites = types }

// Overwrites returns these types.
func (b *Builder) Overwrites() []string { return b.overwrites }

// Gather replaces the check of site i by checks of ranges, which the variable gathers. down
// says that the access mostly extends a range downwards. An Insert of the same pass
// declares the variable.
func (b *Builder) Gather(i int, variable string, down bool, reason string) {
	b.fates[i] = Fate{Kind: Guarded, Pass: b.pass.Name, Reason: reason, By: -1, Flag: variable, Gather: true, Down: down}
}

// Widen makes the check of site i, which stays Kept, include the given number of bytes. The
// check begins back bytes before the access.
func (b *Builder) Widen(i int, back, bytes int64) { b.fates[i].Back, b.fates[i].Len = back, bytes }

// Yield removes the check of site i, which the check of site by covers together with all
// sites that site i covers.
func (b *Builder) Yield(i, by int, reason string) {
	b.Cover(i, by, reason)
	for _, k := range b.covers[i] {
		f := &b.fates[k]
		list := f.Covers()
		for n := range list {
			if list[n] == i {
				list[n] = by
			}
		}
		f.By, f.More = by, distinct(by, list)
	}
	b.covers[by] = append(b.covers[by], b.covers[i]...)
	delete(b.covers, i)
}

// distinct returns the elements of list without repetitions and without first, nil if none
// is left.
func distinct(first int, list []int) (rest []int) {
	for _, k := range list {
		if k != first && !slices.Contains(rest, k) {
			rest = append(rest, k)
		}
	}
	return rest
}

// Insert adds code in front of a loop or statement.
func (b *Builder) Insert(in Insert) {
	in.Pass = b.pass.Name
	b.inserts = append(b.inserts, in)
}

// Spare notes that calls in the loop of an Insert make no check of site i.
func (b *Builder) Spare(i int, in *Insert) {
	at := fmt.Sprintf("%s:%d", filepath.Base(in.File), in.Line)
	if !slices.Contains(b.spared[i], at) {
		b.spared[i] = append(b.spared[i], at)
	}
}

// Keep notes why the running pass keeps site i. A later note of the pass replaces it.
func (b *Builder) Keep(i int, reason string) {
	list := b.kept[i]
	if n := len(list); n > 0 && list[n-1].Pass == b.pass.Name {
		list[n-1].Reason = reason
		return
	}
	b.kept[i] = append(list, Note{b.pass.Name, reason})
}

// Redirect has a call go to a copy of the called function. The check of each site in r.By stays
// Kept.
func (b *Builder) Redirect(r Redirect) {
	r.Pass = b.pass.Name
	b.redirects = append(b.redirects, r)
	for _, list := range r.By {
		for _, i := range list {
			b.pinned[i] = true
		}
	}
	for _, i := range r.Sites {
		at := fmt.Sprintf("%s:%d", r.Call.At.File, r.Call.At.Line)
		if i == r.Wide {
			at = "with those of its neighbours for the call at " + at
		} else {
			at = "not made for the call at " + at
		}
		if !slices.Contains(b.called[i], at) {
			b.called[i] = append(b.called[i], at)
		}
	}
}

// Redirects returns the calls that go to copies.
func (b *Builder) Redirects() []Redirect { return b.redirects }

// Borrow has a function get a copy for callers whose task owns the memory of the first operand.
func (b *Builder) Borrow(x Borrower) {
	x.Pass = b.pass.Name
	b.borrowers = append(b.borrowers, x)
	for _, i := range x.Sites {
		b.called[i] = append(b.called[i], "not made for calls with memory that no other task reaches")
	}
}

// Borrowers returns the functions that get such copies.
func (b *Builder) Borrowers() []Borrower { return b.borrowers }

// Lend has a call go to such a copy, of its package or of an imported one.
func (b *Builder) Lend(l Lent) { b.lent = append(b.lent, l) }

// Lent returns the calls that go to such copies wherever they stand.
func (b *Builder) Lent() []Lent { return b.lent }
