package mem

// A Hoard is a stock of free elements of an arena. Its owner adds to it the elements that the
// owner frees: n of them in the chain that begins at head, and a batch.
type Hoard struct{ head, n, batch uint32 }

// Get returns an element of a.
//
//taskinstr:inline
func (h *Hoard) Get(a *Arena) uint32 {
	if h.head == 0 {
		if h.batch == 0 {
			h.batch = a.GetBatch()
		}
		*h = Hoard{head: h.batch, n: Batch}
	}
	i := h.head
	h.head = *a.LinkOf(i)
	h.n--
	return i
}

// Put frees element i of a.
//
//taskinstr:inline
func (h *Hoard) Put(a *Arena, i uint32) {
	*a.LinkOf(i) = h.head
	h.head = i
	if h.n++; h.n == Batch {
		if h.batch != 0 {
			a.putBatch(h.batch)
		}
		*h = Hoard{batch: h.head}
	}
}

// Size returns the number of elements in h.
func (h *Hoard) Size() uint32 {
	if h.batch != 0 {
		return h.n + Batch
	}
	return h.n
}
