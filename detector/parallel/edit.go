package parallel

// An edit is the change that an access makes to the writes or the reads of some bytes.
type edit uint8

const (
	unchanged      edit = iota // no change
	empties                    // none remain
	replaces                   // the access replaces all
	pushes                     // the access goes in front of all
	replacesNewest             // the access replaces the newest
	otherEdit                  // a change that edits cannot express

	// keepsSome plus a mask: of the first maxKept records those remain whose bit is set
	// (lowest bit first), behind the access; the others go.
	keepsSome edit = 1 << 7
)

const maxKept = 7

// editOf returns the edit by which x became y, where a is the record of the access.
func (e *Engine) editOf(x, y, a uint32) edit {
	switch {
	case y == x:
		return unchanged
	case y == 0:
		return empties
	case y == a:
		return replaces
	case y&listed == 0 || e.listNode(y&indexOf).record != a:
		return otherEdit
	}
	rest := e.listNode(y & indexOf).rest
	switch {
	case x&listed == 0 && rest != 0 && e.listNode(rest).record == x && e.listNode(rest).rest == 0:
		return pushes
	case x&listed == 0:
		return otherEdit
	case rest == x&indexOf:
		return pushes
	case rest == e.listNode(x&indexOf).rest:
		return replacesNewest
	}
	return otherEdit
}

// editOrigins returns the origin, or list of origins, of the half h after edit c by an
// access of t's origin. ok is false if t has too few elements in stock.
//
//go:nosplit
func (e *Engine) editOrigins(t *Task, c edit, h, origin uint32) (y uint32, ok bool) {
	rest := uint32(0)
	switch c {
	case unchanged:
		if t.healing && h == t.records[t.kind%kinds] {
			return t.origin, true
		}
		return origin, true
	case empties:
		return 0, true
	case replaces:
		return t.origin, true
	case pushes:
		rest = origin & indexOf
		if h&listed == 0 {
			if rest = e.pushOrigin(t, origin, 0); rest == 0 {
				return 0, false
			}
		}
	case replacesNewest:
		rest = e.originNode(origin & indexOf).rest
	default:
		if rest, ok = e.keptOrigins(t, c, origin&indexOf); !ok {
			return 0, false
		}
	}
	i := e.pushOrigin(t, t.origin, rest)
	return listed | i, i != 0
}

// keptOrigins returns the origins that c, an edit with keepsSome, keeps of the list of
// origins i.
//
//go:nosplit
func (e *Engine) keptOrigins(t *Task, c edit, i uint32) (rest uint32, ok bool) {
	var at [8]uint32
	n, gone := 0, 0 // gone: the number of leading elements up to the last one that goes
	for ; i != 0 && n < maxKept; n++ {
		at[n&7] = e.originNode(i).origin
		i = e.originNode(i).rest
		if c>>n&1 == 0 {
			rest, gone = i, n+1
		}
	}
	for n = gone - 1; n >= 0; n-- {
		if c>>n&1 != 0 {
			if rest = e.pushOrigin(t, at[n&7], rest); rest == 0 {
				return 0, false
			}
		}
	}
	return rest, true
}

// keptNodes is keptOrigins for the list of records i. It walks the list again for each record that it
// keeps, because an array of them would take too much of the stack.
//
//go:nosplit
func (e *Engine) keptNodes(t *Task, c edit, i uint32) (rest uint32, ok bool) {
	gone := 0
	for j, n := i, 0; j != 0 && n < maxKept; n++ {
		j = e.listNode(j).rest
		if c>>n&1 == 0 {
			rest, gone = j, n+1
		}
	}
	for gone--; gone >= 0; gone-- {
		if c>>gone&1 != 0 {
			if rest = e.quickNode(t, e.recordAt(i, gone), rest, e.length(rest)+1, listFloor); rest == 0 {
				return 0, false
			}
		}
	}
	return rest, true
}

// recordAt returns record n of the list i.
//
//go:nosplit
func (e *Engine) recordAt(i uint32, n int) uint32 {
	for ; n > 0; n-- {
		i = e.listNode(i).rest
	}
	return e.listNode(i).record
}

// length returns the length of the list i.
//
//go:nosplit
func (e *Engine) length(i uint32) uint32 {
	if i == 0 {
		return 0
	}
	return e.listNode(i).n
}
