package serial

import "taskinstr/detector/race"

// A clash is an access of a history that races with the present one.
type clash struct {
	unit, origin, set uint32
	kind              Kind
}

// maxClashes is the largest number of races that are reported of an access.
const maxClashes = maxLockers + 16

func (e *Engine) clash(unit, origin uint32, k Kind, set uint32) {
	if e.nClash < maxClashes {
		e.clashes[e.nClash] = clash{unit, origin, set, k}
		e.nClash++
	}
}

// report reports the clashes of t's access to some bytes of the word at a.
//
//go:noinline
func (e *Engine) report(t *Task, a uintptr, bytes uint32, k Kind, o, set uint32) {
	for i := 0; i < e.nClash; i++ {
		c := e.clashes[i]
		octet := c.origin
		for lo := 0; lo < wordBytes; lo++ {
			if bytes>>lo&1 == 0 {
				continue
			}
			c.origin = e.originAtByte(octet, lo)
			n := 1
			for lo+n < wordBytes && bytes>>(lo+n)&1 != 0 && e.originAtByte(octet, lo+n) == c.origin {
				n++
			}
			if e.opt.Repeat || e.reported.Add(race.PairOf(e.stackKey(o, k), e.stackKey(c.origin, c.kind)), false) {
				e.reportOne(t, a&^(wordBytes-1)+uintptr(lo), uintptr(n), clash{t.Unit, o, set, k}, c)
			}
			lo += n - 1
		}
	}
}

// reportOne reports a race on n bytes at a.
func (e *Engine) reportOne(t *Task, a, n uintptr, cur, prev clash) {
	var r Report
	e.side(&r.Cur, cur)
	e.side(&r.Prev, prev)
	r.Cur.Addr, r.Cur.Size = a, n
	r.Prev.Addr, r.Prev.Size = a, n
	r.Cur.Name = t.Name
	e.ancestor(&r, algTaskOf(e, cur.unit), algTaskOf(e, prev.unit))
	e.Counts.Races++
	hostReport(e, &r)
}

func (e *Engine) side(s *Side, c clash) {
	task := algTaskOf(e, c.unit)
	o, n := e.originAt(c.origin), algInfoOf(e, task)
	s.Kind, s.Stack, s.Locks = c.kind, o.stack, c.set
	s.PC = e.opt.PCBase + uintptr(o.pc)
	if o.site != 0 {
		s.Site = e.opt.SiteBase + uintptr(o.site)
	}
	s.Task, s.Name = n.Serial, e.nameOf(n, task)
	s.Main, s.Ended = n.Flags&IsMain != 0, n.Flags&HasEnded != 0
	s.ForkPC, s.ForkStack = e.opt.PCBase+uintptr(n.pc), n.stack
}

// nameOf returns the name of a task, which its body has while it runs.
func (e *Engine) nameOf(n *Info, id uint32) uint64 {
	for i := e.head; i != 0 && n.Flags&HasEnded == 0; i = e.Body(i).next {
		if t := e.Body(i); t.ID == id {
			return t.Name
		}
	}
	return n.Name
}

// ancestor finds the nearest common ancestor of tasks x and y. A parent was forked
// before its child, so the later of the two cannot be an ancestor of the other.
func (e *Engine) ancestor(r *Report, x, y uint32) {
	a, b := algInfoOf(e, x), algInfoOf(e, y)
	for x != y && a != nil && b != nil {
		if a.Serial > b.Serial {
			e.branch(&r.Cur, a, x)
			x = a.Parent
			a = algInfoOf(e, x)
		} else {
			e.branch(&r.Prev, b, y)
			y = b.Parent
			b = algInfoOf(e, y)
		}
	}
	if x == y && a != nil {
		r.AncestorTask, r.AncestorName, r.AncestorMain = a.Serial, e.nameOf(a, x), a.Flags&IsMain != 0
	}
}

func (e *Engine) branch(s *Side, n *Info, id uint32) {
	s.BranchPC, s.BranchStack = e.opt.PCBase+uintptr(n.pc), n.stack
	s.BranchTask, s.BranchName = n.Serial, e.nameOf(n, id)
}

// ReportAgain makes the pairs of stacks that were reported count as new.
func (e *Engine) ReportAgain() { e.reported.Forget() }

// stackKey returns a digest of the place of an access and its calling context.
func (e *Engine) stackKey(i uint32, k Kind) uint64 {
	o := e.originAt(i)
	key := (uint64(o.site) ^ e.contexts.Digest(o.stack) ^ uint64(o.pc)<<24) * 0x9e3779b97f4a7c15
	return key<<2 ^ key>>47 ^ uint64(k)
}
