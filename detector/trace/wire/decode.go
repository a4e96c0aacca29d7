//go:build !taskinstr_runtime

package wire

// Parse reads an event whose first byte is b0 against the state s. The functions read the
// next byte, number and difference. The numbers of the e.Locks locks follow the record.
func (e *Event) Parse(s *State, b0 uint8, next func() uint8, number func() uint64, difference func(uint64) uint64) {
	b1 := next()
	e.Op = Op(b0 & opMask)
	h := has[e.Op]
	e.Kind = b1 & kindMask
	e.Shared, e.Taken, e.Valued = b0&isShared != 0, b0&isTaken != 0, b1&hasValue != 0
	if b1&hasExtra != 0 {
		h |= hasAddr
	}
	if b0&otherTask != 0 {
		s.Task = uint32(number())
	}
	e.Task = s.Task
	if h&hasOther != 0 {
		e.Other = uint32(number())
	}
	if b1&hasUse != 0 {
		e.Use = next()
	}
	if b1&otherSite != 0 {
		s.Site = uint32(difference(uint64(s.Site)))
	}
	if b1&otherStack != 0 {
		s.Stack = uint32(difference(uint64(s.Stack)))
	}
	e.Site, e.Stack = s.Site, s.Stack
	if h&hasObj != 0 {
		s.Obj = difference(s.Obj)
		e.Obj = s.Obj
	}
	if h&hasAddr != 0 {
		s.Addr = difference(s.Addr)
		if b1&otherSize != 0 {
			s.Size = number()
		}
		e.Addr, e.Size = s.Addr, s.Size
	}
	if b1&hasValue != 0 {
		e.Value = number()
	}
	if h&hasLocks != 0 {
		e.Locks = uint32(number())
	}
}
