package polyhedral

import (
	"fmt"
	"slices"
)

// Footprint holds the elements of one array that the statements of a nest write and
// read.
type Footprint struct {
	Array   Array
	Written *Set // nil if nothing is written
	// Read has the elements that are read but not written. It may have written elements
	// as well, where the difference is not exact. It is nil if it is empty.
	Read                *Set
	WriteScan, ReadScan *Scan // nil if the set is nil
	// Limit is a magnitude. If no symbol of the nest exceeds it, neither the scans nor
	// the program overflow. It is 0 if there is no such limit.
	Limit    int64
	accesses []Access
}

// Refused is an access that has no set. Its elements must be visited one by one.
type Refused struct {
	Index  int // index in the argument of Analyze
	Access Access
	Err    error
}

// Analyze returns the footprints of accesses, one for each array, in the order of the
// first access to it. It also returns the accesses that it refuses. A write subsumes a
// read of its elements.
func Analyze(accesses []Access) (out []*Footprint, refused []Refused) {
	var groups [][]int // the accesses of an array
	for i, a := range accesses {
		if _, err := Image(a); err != nil {
			refused = append(refused, Refused{i, a, err})
			continue
		}
		g := slices.IndexFunc(groups, func(g []int) bool { return accesses[g[0]].Array.equal(a.Array) })
		if g < 0 {
			g = len(groups)
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	for _, g := range groups {
		f := &Footprint{Array: accesses[g[0]].Array}
		for _, i := range g {
			f.accesses = append(f.accesses, accesses[i])
		}
		if err := f.compute(); err != nil {
			for _, i := range g {
				refused = append(refused, Refused{i, accesses[i], err})
			}
			continue
		}
		out = append(out, f)
	}
	return out, refused
}

func (f *Footprint) compute() (err error) {
	defer catch(&err)
	var reads, writes []Access
	for _, a := range f.accesses {
		if a.Write {
			writes = append(writes, a)
		} else {
			reads = append(reads, a)
		}
	}
	if len(writes) > 0 {
		if f.Written, err = Image(writes...); err != nil {
			return err
		}
	}
	if len(reads) > 0 {
		if f.Read, err = Image(reads...); err != nil {
			return err
		}
		if f.Written != nil {
			if f.Read, err = f.Read.without(f.Written); err != nil {
				return err
			}
		}
	}
	var scans []*Scan
	for _, x := range [...]struct {
		set  **Set
		scan **Scan
	}{{&f.Written, &f.WriteScan}, {&f.Read, &f.ReadScan}} {
		if *x.set == nil || (*x.set).IsEmpty() {
			*x.set = nil
			continue
		}
		if *x.scan, err = (*x.set).Scan(); err != nil {
			return err
		}
		scans = append(scans, *x.scan)
	}
	if f.Limit = limit(f.accesses, scans); f.Limit == 0 {
		return fmt.Errorf("%w for all values of the symbols", ErrOverflow)
	}
	return nil
}
