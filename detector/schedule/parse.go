package schedule

import "unsafe"

// A record is the text of a record during reading.
type record struct {
	text  uintptr
	n     uintptr
	at    uintptr // the next line
	line  uint32  // the number of the line read last
	marks uintptr // [size]uint64: by @number, the hash of its path
	size  uint32

	clock    uint64 // of the last line clock or timer, if it is new
	newClock bool
	newTimer bool // it is of a line timer
}

// A choice is a line that names a task.
type choice struct {
	name uintptr // the offset of the name in the record
	size uintptr
	hash uint64
	left uint32 // how often the task is still to be chosen; with a stop, 1 until the task reaches it
	stop stop   // the stop of the line
	nth  uint32 // the ordinal of the stop among the task's stops of its kind
}

type lineKind uint32

const (
	lineEnd    lineKind = iota // there are no more lines
	lineChoice                 // the choice has been filled in
	lineExit
	lineBad
)

func (r *record) byte(i uintptr) byte { return *(*byte)(unsafe.Add(nil, r.text+i)) }

// cut moves to the next line and returns its bounds. Text after the last newline is not
// a line: the run that wrote it was killed.
func (r *record) cut() (from, to uintptr, ok bool) {
	if r.at >= r.n {
		return 0, 0, false
	}
	from = r.at
	to = from
	for to < r.n && r.byte(to) != '\n' {
		to++
	}
	if to == r.n {
		return 0, 0, false
	}
	r.at = to + 1
	r.line++
	if to > from && r.byte(to-1) == '\r' {
		to--
	}
	return from, to, true
}

// back makes the line read last the next line again.
func (r *record) back() {
	at := r.at - 1
	for at > 0 && r.byte(at-1) != '\n' {
		at--
	}
	r.at = at
	r.line--
}

// word returns the end of the word that begins at from, and the beginning of the next
// word.
func (r *record) word(from, to uintptr) (end, next uintptr) {
	end = from
	for end < to && r.byte(end) != ' ' {
		end++
	}
	next = end
	for next < to && r.byte(next) == ' ' {
		next++
	}
	return end, next
}

func (r *record) is(from, to uintptr, s string) bool {
	if to-from != uintptr(len(s)) {
		return false
	}
	for i := 0; i < len(s); i++ {
		if r.byte(from+uintptr(i)) != s[i] {
			return false
		}
	}
	return true
}

// number reads the digits in [from, to).
func (r *record) number(from, to uintptr) (v uint32, ok bool) {
	const max = 1<<32 - 1
	x := uint64(0)
	for i := from; i < to; i++ {
		c := r.byte(i)
		if c < '0' || c > '9' || x > max {
			return 0, false
		}
		x = 10*x + uint64(c-'0')
	}
	return uint32(x), to > from && x <= max
}

// maxTime is the latest time of a record.
const maxTime = 1<<63 - 1

// number64 reads the digits in [from, to).
func (r *record) number64(from, to uintptr) (v uint64, ok bool) {
	for i := from; i < to; i++ {
		c := r.byte(i)
		if c < '0' || c > '9' || v > (1<<64-1)/10-1 {
			return 0, false
		}
		v = 10*v + uint64(c-'0')
	}
	return v, to > from
}

// A head has the lines of a record before its first choice.
type head struct {
	points     Points
	seed, wall uint64
	loose      bool
	crypto     bool    // random bytes of package crypto/rand come from the seed
	sites      uintptr // the offset of the chosen sites, 0 if there are none
	sitesSize  uintptr
}

// begin reads the lines before the first choice.
func (r *record) begin(h *head) bool {
	from, to, ok := r.cut()
	if !ok || !r.is(from, to, recordTitle) {
		r.line = 1
		return false
	}
	for {
		at, line := r.at, r.line
		from, to, ok := r.cut()
		if !ok {
			return true
		}
		end, arg := r.word(from, to)
		switch {
		case r.is(from, end, "strategy"):
		case r.is(from, to, recordCrypto):
			h.crypto = true
		case r.is(from, to, "loose"):
			h.loose = true
		case r.is(from, end, "seed"):
			n, ok := r.number(arg, to)
			if !ok {
				return false
			}
			h.seed = uint64(n)
		case r.is(from, end, "wall"):
			n, ok := r.number64(arg, to)
			if !ok || n > maxTime {
				return false
			}
			h.wall = n
		case r.is(from, end, "access"):
			if arg == to {
				return false
			}
			h.sites, h.sitesSize = arg, to-arg
		case r.is(from, end, "points"):
			known := false
			for i := range pointsText {
				if r.is(arg, to, pointsText[i]) {
					h.points = Points(i)
					known = true
				}
			}
			if !known {
				return false
			}
		default:
			r.at, r.line = at, line
			return true
		}
	}
}

// next reads up to the next line that concerns the replay.
func (r *record) next(c *choice) lineKind {
	for {
		from, to, ok := r.cut()
		if !ok {
			return lineEnd
		}
		end, arg := r.word(from, to)
		switch {
		case from == to || r.byte(from) == '#':
		case r.is(from, to, "exit"):
			return lineExit
		case r.is(from, end, "none"):
			return lineEnd
		case r.is(from, end, "clock"), r.is(from, end, "timer"):
			t, ok := r.number64(arg, to)
			if !ok || t > maxTime {
				return lineBad
			}
			r.clock, r.newClock, r.newTimer = t, true, r.is(from, end, "timer")
		case r.is(from, end, "let"):
			if !r.let(arg, to) {
				return lineBad
			}
		default:
			h, ok := r.hash(from, end-from)
			if !ok {
				return lineBad
			}
			*c = choice{name: from, size: end - from, hash: h, left: 1}
			if end, rest := r.word(arg, to); r.is(arg, end, "to") {
				if !r.stop(rest, to, c) {
					return lineBad
				}
			} else if arg < to && r.byte(arg) != '|' {
				c.left, ok = r.number(arg, end)
				if !ok || c.left == 0 || rest < to && r.byte(rest) != '|' {
					return lineBad
				}
			}
			return lineChoice
		}
	}
}

// let reads the arguments of a line let: a number and its path.
func (r *record) let(from, to uintptr) bool {
	end, path := r.word(from, to)
	if from == end || r.byte(from) != '@' {
		return false
	}
	// The table grows by one number at a time, because a record numbers paths from 1.
	mark, ok := r.number(from+1, end)
	if !ok || mark == 0 || mark > r.size+1 {
		return false
	}
	h, ok := r.hash(path, to-path)
	if !ok {
		return false
	}
	if mark > r.size {
		r.grow(mark)
	}
	*r.mark(mark - 1) = h
	return true
}

func (r *record) mark(i uint32) *uint64 {
	return (*uint64)(unsafe.Add(nil, r.marks+uintptr(i)*unsafe.Sizeof(uint64(0))))
}

// grow extends the table of marks to n elements, with capacity for the next power of two.
func (r *record) grow(n uint32) {
	if r.size&(r.size-1) == 0 {
		old, size := r.marks, r.size
		r.marks = uintptr(hostAlloc(uintptr(max(1, 2*size)) * unsafe.Sizeof(uint64(0))))
		for i := uint32(0); i < size; i++ {
			*r.mark(i) = *(*uint64)(unsafe.Add(nil, old+uintptr(i)*unsafe.Sizeof(uint64(0))))
		}
		if size > 0 {
			hostFree(unsafe.Add(nil, old), uintptr(size)*unsafe.Sizeof(uint64(0)))
		}
	}
	r.size = n
}

// hash returns the hash of the path of the given size at from.
func (r *record) hash(from, size uintptr) (h uint64, ok bool) {
	to := from + size
	part := func(at uintptr) uintptr {
		for at < to && r.byte(at) != '.' {
			at++
		}
		return at
	}
	at := part(from)
	switch {
	case r.is(from, at, "main"):
		h = hashMain
	case r.is(from, at, "outside"):
		h = hashOutside
		if at == to {
			return 0, false
		}
	case from < at && r.byte(from) == '@':
		mark, ok := r.number(from+1, at)
		if !ok || mark == 0 || mark > r.size {
			return 0, false
		}
		h = *r.mark(mark - 1)
	default:
		return 0, false
	}
	for at < to {
		end := part(at + 1)
		ordinal, ok := r.number(at+1, end)
		if !ok || ordinal == 0 {
			return 0, false
		}
		h = extend(h, ordinal)
		at = end
	}
	return h, true
}
