package health

type patient struct {
	left  int // days until this stage ends
	stays int // hospitals visited
	next  *patient
}

// A queue of patients.
type queue struct{ first, last *patient }

func (q *queue) push(p *patient) {
	p.next = nil
	if q.last == nil {
		q.first = p
	} else {
		q.last.next = p
	}
	q.last = p
}

// drain empties the queue and returns its first patient. The field next leads to the
// others.
func (q *queue) drain() *patient {
	p := q.first
	*q = queue{}
	return p
}

func (q *queue) len() int {
	n := 0
	for p := q.first; p != nil; p = p.next {
		n++
	}
	return n
}
