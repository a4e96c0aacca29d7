package espbags

// The forest of disjoint sets: *up(id) is the id of another task of the same bag, nearer to
// the root, or, in the root, the kind of the bag and its rank. 0 marks an id that is not in
// use or in no bag yet.
const (
	isRoot   = 1 << 31
	isPBag   = 1 << 30
	rankMask = 1<<30 - 1
)

//go:nosplit
func (e *Engine) up(id uint32) *uint32 { return e.forest.At32(uintptr(id - e.Base)) }

// find returns the root of the bag that id is in. Each node passed comes nearer to the
// root: path halving.
//
//go:nosplit
func (e *Engine) find(id uint32) uint32 {
	p := e.up(id)
	for *p&isRoot == 0 {
		up := *p
		q := e.up(up)
		if *q&isRoot != 0 {
			return up
		}
		*p = *q
		id = *q
		p = e.up(id)
	}
	return id
}

// inPBag reports whether the task id, or 0, is in a P-bag. Tasks below e.Base precede
// everything.
//
//go:nosplit
func (e *Engine) inPBag(id uint32) bool {
	return id >= e.Base && *e.up(e.find(id))&isPBag != 0
}

// unite makes one bag of two, given by their roots or 0, and returns its root. kind
// is isPBag or 0.
func (e *Engine) unite(x, y, kind uint32) uint32 {
	if x == 0 {
		x, y = y, x
	}
	if x == 0 {
		return 0
	}
	p := e.up(x)
	rank := *p & rankMask
	if y != 0 && x != y {
		q := e.up(y)
		switch r := *q & rankMask; {
		case r > rank:
			*p = y
			x, p, rank = y, q, r
		case r == rank:
			rank++
			*q = x
		default:
			*q = x
		}
	}
	*p = isRoot | kind | rank
	return x
}
