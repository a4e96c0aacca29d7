package schedule

// The living tasks in depth-first order form a list with growing labels. If no label is
// free between two neighbours, the labels of the smallest sparse range around them are
// spread evenly. A range of 1<<i labels is sparse if it holds at most (4/3)**i tasks.
// Larger ranges must be sparser, so that the amortized cost of an insertion is
// logarithmic.

// labelBits is the number of bits of a label.
const labelBits = 62

const (
	maxLabel = 1<<labelBits - 1
	midLabel = 1 << (labelBits - 1)
)

// precedes reports whether the rest of a comes before the rest of b in depth-first order.
func (ts *Tasks) precedes(a, b ID) bool { return ts.at(a).label < ts.at(b).label }

// insertBefore puts t before next.
func (ts *Tasks) insertBefore(t, next ID) {
	e, b := ts.at(t), ts.at(next)
	low := uint64(0)
	if b.before != 0 {
		low = ts.at(b.before).label
	}
	if b.label-low < 2 {
		ts.spread(next)
		low = 0
		if b.before != 0 {
			low = ts.at(b.before).label
		}
	}
	e.label = low + (b.label-low)/2
	e.before, e.after = b.before, next
	if b.before != 0 {
		ts.at(b.before).after = t
	} else {
		ts.first = t
	}
	b.before = t
}

// append puts t at the end.
func (ts *Tasks) append(t ID) {
	e := ts.at(t)
	if ts.last == 0 {
		e.label = midLabel
		ts.first, ts.last = t, t
		return
	}
	l := ts.at(ts.last)
	if maxLabel-l.label < 2 {
		ts.spread(ts.last)
	}
	e.label = l.label + (maxLabel-l.label)/2
	e.before = ts.last
	l.after = t
	ts.last = t
}

func (ts *Tasks) unlink(t ID) {
	e := ts.at(t)
	if e.before != 0 {
		ts.at(e.before).after = e.after
	} else {
		ts.first = e.after
	}
	if e.after != 0 {
		ts.at(e.after).before = e.before
	} else {
		ts.last = e.before
	}
}

// spread makes room before t and after it.
func (ts *Tasks) spread(t ID) {
	label := ts.at(t).label
	from, n := t, uint64(1) // the first task of the range, and the number of its tasks
	to := t
	const one = 1 << 8 // thresholds are fixed-point numbers with eight fractional bits
	limit := uint64(one)
	for i := uint(1); ; i++ {
		limit += limit / 3
		low := label &^ (1<<i - 1)
		high := low + 1<<i - 1
		for p := ts.at(from).before; p != 0 && ts.at(p).label >= low; p = ts.at(p).before {
			from = p
			n++
		}
		for p := ts.at(to).after; p != 0 && ts.at(p).label <= high; p = ts.at(p).after {
			to = p
			n++
		}
		gap := (high - low) / (n + 1)
		if i == labelBits || n*one <= limit && gap >= 4 {
			for x := low + gap; n > 0; n-- {
				ts.at(from).label = x
				x += gap
				from = ts.at(from).after
			}
			return
		}
	}
}
