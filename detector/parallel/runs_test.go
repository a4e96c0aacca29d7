package parallel

import (
	"math/rand/v2"
	"testing"
)

// shadowModel checks the shadow of one block against a history for each byte. A single
// task makes each access in a new step, so that each replaces the history.
func shadowModel(t *testing.T, program []byte) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	var model [blockBytes]uintptr // the site of the last write
	num := func() uintptr {
		if len(program) < 2 {
			program = nil
			return 0
		}
		v := uintptr(program[0]) | uintptr(program[1])<<8
		program = program[2:]
		return v
	}
	for len(program) > 0 {
		c := num()
		lo, n := num()%blockBytes, num()%96+1
		switch c >> 8 % 8 {
		case 0, 1:
			lo, n = lo&^7, 8
		case 2:
			n = num()%blockBytes + 1
		case 3:
			n = n % 8
		}
		n = min(n, blockBytes-lo)
		if n == 0 {
			continue
		}
		site := c%5 + 1
		if c>>12 == 0 {
			site = 0
			if c>>11&1 == 0 {
				lo, n = 0, blockBytes
			}
			e.Alloc(heap+lo, n)
		} else {
			e.endStep(m)
			e.Access(m, heap+lo, n, Write, site, site, 0)
		}
		for i := lo; i < lo+n; i++ {
			model[i] = site
		}
		checkBlock(t, e, &model)
	}
}

// siteAt returns the site of the byte at addr, whose origin is o.
func siteAt(e *Engine, o uint32, addr uintptr) uintptr {
	one, _ := e.originAt(o, addr, addr+1)
	return e.siteOf(e.origin(one))
}

func checkBlock(t *testing.T, e *Engine, model *[blockBytes]uintptr) {
	i := e.blockAt(heap >> blockShift)
	if i == 0 {
		return
	}
	b := e.block(i)
	var got [blockBytes]uintptr
	set := func(j uintptr, h history) {
		if h.w != 0 {
			got[j] = siteAt(e, h.origins.w, j)
		}
	}
	if b.page == 0 {
		for k := uint32(0); k < b.n; k++ {
			s := b.runs[k]
			if s.lo >= s.hi || s.hi > blockBytes || k > 0 && s.lo < b.runs[k-1].hi {
				t.Fatalf("runs out of order: %v", b.runs[:b.n])
			}
			if k > 0 && s.lo == b.runs[k-1].hi && s.history == b.runs[k-1].history {
				t.Fatalf("equal neighbours: %v", b.runs[:b.n])
			}
			for j := s.lo; j < s.hi; j++ {
				set(uintptr(j), s.history)
			}
		}
	} else {
		for j := uintptr(0); j < blockBytes; j++ {
			h, _ := e.pieceAt(e.wordAt(b.page, j), j)
			set(j, h)
		}
		for j := uintptr(0); j < blockBytes; j += wordBytes {
			checkPieces(t, e, e.wordAt(b.page, j))
		}
	}
	for j := range got {
		if got[j] != model[j] {
			t.Fatalf("byte %d was last written at site %d, want %d", j, got[j], model[j])
		}
	}
}

// checkPieces checks that the pieces of w have different histories and disjoint masks, and
// that w is split only if its bytes differ.
func checkPieces(t *testing.T, e *Engine, w *history) {
	if !w.split() {
		return
	}
	all, n := uint32(0), 0
	seen := map[history]bool{}
	for i := w.w & indexOf; i != 0; i = e.split(i).next {
		s := e.split(i)
		for p, m := range s.masks {
			if m == 0 {
				continue
			}
			h := s.pieces[p]
			if h != h.canonical() || all&uint32(m) != 0 || seen[h] || h.w|h.r == 0 {
				t.Fatalf("pieces of a word: masks %v, histories %v", s.masks, s.pieces)
			}
			seen[h] = true
			all |= uint32(m)
			n++
		}
	}
	if n == 0 || n == 1 && all == wholeWord {
		t.Fatalf("a word of %d pieces with mask %x is split", n, all)
	}
}

func TestShadow(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := 0; i < 60; i++ {
		b := make([]byte, 100+rnd.IntN(900))
		for k := range b {
			b[k] = byte(rnd.Uint32())
		}
		shadowModel(t, b)
	}
}

func FuzzRuns(f *testing.F) {
	f.Add([]byte("\x00\x10\x00\x00\x40\x00\x01\x20\x20\x00\x10\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) <= 2000 {
			shadowModel(t, b)
		}
	})
}

// Cells become runs again when long accesses return.
func TestCellsBecomeRuns(t *testing.T) {
	e, m := newEngine(t, Options{})
	a := e.Fork(m, 0, 0)
	for i := uintptr(0); i < 100; i++ {
		e.Access(m, heap+i*24, 8, Write, 1, 1, 0)
	}
	b := e.block(e.blockAt(heap >> blockShift))
	if b.page == 0 {
		t.Fatal("a hundred pieces are still runs")
	}
	e.endStep(m)
	for i := uintptr(0); i < 3; i++ {
		e.Access(m, heap+i*4096, 4096, Write, 2, 2, 0)
		e.Access(m, heap, 4096, Write, 2, 2, 0)
	}
	if b.page != 0 || b.n != 1 {
		t.Errorf("page %d, %d runs", b.page, b.n)
	}
	if !quick(e, m, heap+24, 8, Write, 2, 2, 0) {
		t.Error("a repeated access takes the long way")
	}
	e.Access(a, heap, 4096, Write, 3, 3, 0)
	if quick(e, m, heap+24, 8, Write, 2, 2, 0) {
		t.Error("an access is dismissed for the sake of a cell of the past")
	}
	if n := e.celled; n != 0 {
		t.Errorf("%d pages of cells in use", n)
	}
}

// A sweep frees the cells of a block that has become one of runs, and another block gets them without their history.
func TestSweepFreesCells(t *testing.T) {
	e, m := newEngine(t, Options{})
	e.Fork(m, 0, 0)
	pieces := func(at uintptr) {
		for i := uintptr(0); i < 100; i++ {
			e.Access(m, at+i*24, 8, Write, 1, 1, 0)
		}
	}
	pieces(heap)
	if n := e.pages.Used(); n != 1 {
		t.Fatalf("%d pages of cells for one block", n)
	}
	e.Alloc(heap, blockBytes)
	pieces(heap)
	if n := e.pages.Used(); n != 1 {
		t.Errorf("%d pages of cells for one block that was freed and used again", n)
	}
	e.Alloc(heap, blockBytes)
	e.Sweep()
	if n := e.pages.Used(); n != 0 {
		t.Errorf("%d pages of cells after a sweep, none in use", n)
	}
	pieces(heap + blockBytes + 8)
	if p := e.block(e.blockAt(heap>>blockShift + 1)).page; p != 1 {
		t.Fatalf("the next block of cells has page %d, not the freed one", p)
	}
	for i, w := range e.page(1).words {
		if used := i%3 == 1 && i < 300; used != (w.cell != cell{}) {
			t.Errorf("word %d has history %v", i, w)
		}
	}
}

// If a step accesses bytes in pieces and then as a range, only the range stays in the
// history.
func TestRangeMergesPieces(t *testing.T) {
	for _, k := range []Kind{Read, Write} {
		e, m := newEngine(t, Options{})
		e.Fork(m, 0, 0)
		for i := uintptr(0); i < 2*maxRuns; i++ {
			e.Access(m, heap+i*8, 8, k, i, i, 0)
		}
		b := e.block(e.blockAt(heap >> blockShift))
		if b.page == 0 {
			t.Fatalf("%v: pieces of different sites are still runs", k)
		}
		for i := uintptr(0); i < 3; i++ {
			e.Access(m, heap, 4096, k, 100, 100, 0)
		}
		if b.page != 0 || b.n != 1 {
			t.Errorf("%v: page %d, %d runs", k, b.page, b.n)
		}
	}
}

// Tasks that read a range in turns do not evict each other from its history.
func TestRangeAmongReaders(t *testing.T) {
	e, m := newEngine(t, Options{})
	a, b := e.Fork(m, 0, 0), e.Fork(m, 0, 0)
	read := func() {
		for _, task := range []*Task{a, b} {
			e.Access(task, heap, 24, Read, 1, 1, 0)
		}
	}
	for range 4 {
		read()
	}
	was := e.lists.Next
	for range 100 {
		read()
	}
	if n := e.lists.Next - was; n != 0 {
		t.Errorf("%d lists made by reading again", n)
	}
}

// A word whose bytes were written separately is whole again when they agree, and keeps no
// memory.
func TestSplitWordsMend(t *testing.T) {
	e, m := newEngine(t, Options{})
	e.Fork(m, 0, 0)
	half := func(i, off, site uintptr) { check(e, m, heap+i*8+off, 4, Write, site, site, 0) }
	for i := uintptr(0); i < 1024; i++ {
		half(i, 0, 1)
		half(i, 4, 2) // at another place: the origins become a pair
	}
	made := e.splits.Next
	for i := uintptr(0); i < 1024; i++ {
		w := e.wordAt(e.block(e.blockAt(heap>>blockShift)).page, i*8)
		a, _ := e.pieceAt(w, 3)
		b, _ := e.pieceAt(w, 4)
		if a.cell != b.cell || siteAt(e, a.origins.w, 3) != 1 || siteAt(e, b.origins.w, 4) != 2 {
			t.Fatalf("word %d has histories %v, %v", i, a, b)
		}
	}
	for round := range 3 {
		e.endStep(m)
		for i := uintptr(0); i < 1024; i++ {
			half(i, 0, 1)
			half(i, 4, 1)
		}
		if n := e.splits.Next - made; n > 64 {
			t.Fatalf("round %d: %d more split words", round, n)
		}
	}
	e.Sweep()
	if n := e.splits.Used(); n != 0 {
		t.Errorf("%d split words in use", n)
	}
}

// Words of up to eight pieces, whose histories meet in all orders, against a model of bytes.
// A sweep in between keeps them.
func TestPieces(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	e, m := newEngine(t, Options{})
	other := e.Fork(m, 0, 0)
	check(e, m, heap+blockBytes/2, 1, Write, 1, 1, 0)
	for i := uintptr(0); i < 100; i++ {
		check(e, m, heap+2*i*wordBytes, 3, Write, 1, 1, 0) // cells, not runs
	}
	w := func() *history { return e.wordAt(e.block(e.blockAt(heap>>blockShift)).page, 0) }
	e.Alloc(heap, wordBytes)
	var model [wordBytes]uintptr
	for step := range 20000 {
		lo := rnd.UintN(wordBytes)
		n := 1 + rnd.UintN(wordBytes-lo)
		site := uintptr(1 + rnd.UintN(1+rnd.UintN(12)))
		switch rnd.UintN(20) {
		case 0:
			e.Alloc(heap+uintptr(lo), uintptr(n))
			site = 0
		case 1:
			e.Sweep()
			continue
		default:
			e.endStep(m)
			check(e, m, heap+uintptr(lo), uintptr(n), Write, site, site, 0)
		}
		for j := lo; j < lo+n; j++ {
			model[j] = site
		}
		checkPieces(t, e, w())
		for j := range model {
			h, mask := e.pieceAt(w(), uintptr(j))
			if got := siteAt(e, h.origins.w, uintptr(j)); h.w == 0 && model[j] != 0 || h.w != 0 && got != model[j] {
				t.Fatalf("step %d: byte %d of %v was written at %d: %v", step, j, model, got, h)
			}
			if mask>>j&1 == 0 {
				t.Fatalf("step %d: byte %d is not in its mask %x", step, j, mask)
			}
		}
	}
	e.End(other)
}

// Bytes of a word that one step writes at several places make one history, and each has its place in reports,
// after a sweep too.
func TestPairs(t *testing.T) {
	e, m := newEngine(t, Options{})
	got := collect(e)
	a, b := e.Fork(m, 0, 0), e.Fork(m, 0, 0)
	for i := uintptr(0); i < 200; i++ {
		e.Access(a, heap+4096+16*i, 8, Read, 9, 9, 0) // so many words that the block has cells
	}
	const word = heap + 8
	sites := [8]uintptr{1, 1, 2, 3, 3, 3, 1, 4}
	for i, s := range sites {
		check(e, a, word+uintptr(i), 1, Write, s, s, 0)
	}
	w := e.wordAt(e.block(e.blockAt(heap>>blockShift)).page, 8)
	if w.split() {
		t.Error("the word is in pieces")
	}
	e.Sweep()
	e.Access(b, word, 8, Write, 7, 7, 0)
	var found [8]uintptr
	for _, r := range *got {
		for i := range r.Prev.Size {
			found[r.Prev.Addr+i-word] = r.Prev.Site
		}
	}
	// Each pair of places is reported once.
	if want := [8]uintptr{1, 1, 2, 3, 3, 3, 0, 4}; found != want {
		t.Errorf("places %v, want %v", found, want)
	}
}

// A sweep finds the split words of freed memory.
func TestSplitWordsAfterAlloc(t *testing.T) {
	e, m := newEngine(t, Options{})
	e.Fork(m, 0, 0)
	for i := uintptr(0); i < 512; i++ {
		check(e, m, heap+i*8, 1, Write, 1, 1, 0)
		check(e, m, heap+i*8+5, 2, Write, 2, 2, 0)
	}
	e.Alloc(heap, 2048)
	if n := e.splits.Used(); n < 512 {
		t.Fatalf("%d split words", n)
	}
	e.Sweep()
	if n := e.splits.Used(); n != 256 {
		t.Errorf("%d split words, want 256", n)
	}
	e.Alloc(heap+2048, 1)
	e.Access(m, heap+2048, 4, Write, 3, 3, 0)
	w := e.wordAt(e.block(e.blockAt(heap>>blockShift)).page, 2048)
	if h, _ := e.pieceAt(w, 6); siteAt(e, h.origins.w, 6) != 2 {
		t.Errorf("%v", h)
	}
}
