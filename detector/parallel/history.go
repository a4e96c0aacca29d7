package parallel

// A history holds the accesses of some bytes that can still race: w for writes and r for
// reads, each 0, a record or a list of records, with their origins.
type history struct {
	cell
	origins cell
}

func (h *history) writes() half { return half{h.w, h.origins.w} }
func (h *history) reads() half  { return half{h.r, h.origins.r} }

// makeHistory returns the history of writes w and reads r.
func makeHistory(w, r half) history {
	h := history{cell{w.h, r.h}, cell{w.origin, r.origin}}
	return h.canonical()
}

// canonical returns h with zero origins where there is no access.
//
//go:nosplit
func (h history) canonical() history {
	if h.w == 0 {
		h.origins.w = 0
	}
	if h.r == 0 {
		h.origins.r = 0
	}
	return h
}
