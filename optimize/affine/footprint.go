package affine

import (
	"fmt"
	"slices"

	"taskinstr/polyhedral"
)

// A footprint holds the accesses of the nest to one array, and their scans.
type footprint struct {
	array *array
	scans []scan             // the scans that replace the checks of refs
	exist []*polyhedral.Scan // the elements that have to exist
	refs  []reference
	left  []reference // the references that keep their checks
	limit int64       // of the magnitude of symbols, below which arithmetic does not wrap
}

// maxReferences bounds the size of nests, in references that differ.
const maxReferences = 256

// footprints computes the sets of elements that the nest's references reach. Arrays with
// fewer subscripts come first: the rows of an array are known to exist before the code
// asks for their lengths.
//
// The scan replaces all checks of a call of a simple function, or none of them.
func (n *nest) footprints() (list []*footprint) {
	for again := true; again; {
		n.unscanned()
		list, again = n.footprintsOf(), false
		for _, f := range list {
			for _, r := range f.left {
				if r.in != nil {
					r.in.keep("a scan would take as many steps")
					again = true
				}
			}
		}
	}
	return list
}

// unscanned turns the accesses of calls that keep their checks into tests of subscripts.
func (n *nest) unscanned() {
	var refs []reference
	for _, r := range n.refs {
		if r.in != nil && r.in.kept != "" {
			r.sites, r.in, r.part = nil, nil, part{}
			if r.array.isPlace {
				continue
			}
		}
		refs = append(refs, r)
	}
	n.refs = refs
}

// unite makes one reference of those that are the same access of the same element in the same
// iterations, such as the second read of a[5] in a row of statements.
func (n *nest) unite() {
	index := map[string]int{}
	var refs []reference
	for _, r := range n.refs {
		if len(r.sites) == 0 || r.run != nil {
			refs = append(refs, r)
			continue
		}
		k := fmt.Sprintf("%s %v %v %v %d %t %p", r.key(), r.subs, r.part, r.st.doms, r.st.depth, r.write, r.in)
		if i, ok := index[k]; ok {
			refs[i].sites = append(slices.Clip(refs[i].sites), r.sites...)
			continue
		}
		index[k] = len(refs)
		refs = append(refs, r)
	}
	n.refs = refs
}

// footprintsOf groups the references by array.
func (n *nest) footprintsOf() (list []*footprint) {
	n.unite()
	if len(n.refs) > maxReferences {
		n.fail("it has too many accesses")
	}
	n.constants()
	var keys []string
	groups := map[string][]reference{}
	for _, r := range n.refs {
		k := r.array.key()
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], r)
	}
	for _, k := range keys {
		list = append(list, n.footprint(groups[k]))
	}
	slices.SortStableFunc(list, func(a, b *footprint) int { return len(a.array.levels) - len(b.array.levels) })
	return list
}

// footprint computes the scans of one array, and the tests that its elements exist.
func (n *nest) footprint(refs []reference) *footprint {
	f := &footprint{array: refs[0].array, limit: 1 << 62}
	list, bounded := reaches(refs)
	for _, x := range list {
		f.left = append(f.left, x.analyze()...)
	}
	list = n.scans(f, slices.DeleteFunc(list, (*reach).isEmpty))
	seen := f.scanned(list)
	n.tested(f, append(bounded, f.left...), seen)
	return f
}

// reaches groups the references by the part of an element that they access. References without sites
// have no checks, only subscripts with bounds.
func reaches(refs []reference) (list []*reach, bounded []reference) {
	for _, r := range refs {
		if len(r.sites) == 0 {
			bounded = append(bounded, r)
			continue
		}
		i := slices.IndexFunc(list, func(x *reach) bool { return x.part == r.part })
		if i < 0 {
			i = len(list)
			list = append(list, &reach{part: r.part})
		}
		list[i].refs = append(list[i].refs, r)
	}
	return list, bounded
}

func (x *reach) isEmpty() bool { return len(x.refs) == 0 }

// scans makes the scans of the elements reached. A scan that gains nothing is left out, and the rest may
// gain less without it. It returns the reaches of the scans.
func (n *nest) scans(f *footprint, list []*reach) []*reach {
	for {
		f.scans = merge(list)
		bad := map[*reach]bool{}
		for _, s := range f.scans {
			if !n.gains(f.array, s) {
				for _, x := range s.of {
					bad[x] = true
				}
			}
		}
		if len(bad) == 0 {
			return list
		}
		for _, x := range list {
			if bad[x] {
				f.left = append(f.left, n.reduce(f.array, x)...)
			}
		}
		list = slices.DeleteFunc(list, (*reach).isEmpty)
	}
}

// scanned notes the references that scans replace, and that the elements of the scans have to exist. It
// returns the keys of the accesses of these references.
func (f *footprint) scanned(list []*reach) map[string]bool {
	seen := map[string]bool{}
	for _, x := range list {
		f.limit = min(f.limit, x.found.Limit)
		for _, s := range []*polyhedral.Scan{x.found.WriteScan, x.found.ReadScan} {
			if s != nil && !seen[s.String()] {
				seen[s.String()] = true
				f.exist = append(f.exist, s)
			}
		}
		for _, r := range x.refs {
			f.refs = append(f.refs, r)
			for _, a := range accesses([]reference{r}) {
				seen[elementsKey(a)] = true
			}
		}
	}
	return seen
}

// tested adds the elements of references without scans to those that have to exist, except for
// accesses whose keys are in seen.
func (n *nest) tested(f *footprint, refs []reference, seen map[string]bool) {
	var open []polyhedral.Access
	for _, a := range accesses(refs) {
		a.Write = false
		k := elementsKey(a)
		if !seen[k] {
			open = append(open, a)
		}
		seen[k] = true
	}
	out, refused := polyhedral.Analyze(open)
	if len(refused) > 0 {
		n.fail("the subscripts of " + f.array.base + " are not known: " + refused[0].Err.Error())
	}
	for _, x := range out {
		f.limit = min(f.limit, x.Limit)
		if x.ReadScan != nil {
			f.exist = append(f.exist, x.ReadScan)
		}
	}
}

// elementsKey returns a key of the elements that an access reaches.
func elementsKey(a polyhedral.Access) string { return fmt.Sprint(a.Subs, a.Domain) }

// accesses describes references to package polyhedral: one access for each domain.
func accesses(refs []reference) (list []polyhedral.Access) {
	for _, r := range refs {
		for _, d := range r.st.doms {
			list = append(list, polyhedral.Access{Array: r.array.in(), Subs: r.subs, Write: r.write, Domain: d})
		}
	}
	return list
}
