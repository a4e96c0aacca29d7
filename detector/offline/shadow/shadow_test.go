package shadow

import (
	"math/rand/v2"
	"testing"
)

// A map from each byte to its cell is the reference.
func TestMemory(t *testing.T) {
	type span struct{ addr, size uint64 }
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var m Memory[int32]
		want := map[uint64]int32{}
		const base, length = 0xc000100000 - 100, 4 * PageSize
		for op := range int32(150) {
			s := span{addr: base + r.Uint64N(length), size: 1 + r.Uint64N(1<<r.IntN(12))}
			if r.IntN(2) == 0 {
				s.addr, s.size = s.addr&^7, (s.size+7)&^7
			}
			if r.IntN(10) == 0 {
				m.Clear(s.addr, s.size)
				for a := s.addr; a < s.addr+s.size; a++ {
					delete(want, a)
				}
				continue
			}
			v := op / 8
			next := s.addr
			m.Update(s.addr, s.size, func(c int32, lo, hi uint64) int32 {
				if lo != next || hi <= lo {
					t.Fatalf("seed %d: a run is [%#x, %#x), the one before ends at %#x", seed, lo, hi, next)
				}
				next = hi
				for a := lo; a < hi; a++ {
					if w := want[a]; c != w {
						t.Fatalf("seed %d: %#x has %d, want %d", seed, a, c, w)
					}
					want[a] = v
				}
				return v
			})
			if next != s.addr+s.size {
				t.Fatalf("seed %d: the runs end at %#x, want %#x", seed, next, s.addr+s.size)
			}
		}
		for a := uint64(base); a < base+length; a++ {
			cells, _, _ := m.cells(a, a+1)
			if cells[0] != want[a] {
				t.Fatalf("seed %d: at the end %#x has %d, want %d", seed, a, cells[0], want[a])
			}
		}
	}
}

// Accesses to whole words make a cell for each word. Accesses to whole pages make one
// cell for each page.
func TestGranules(t *testing.T) {
	var m Memory[int32]
	const rows = 16
	for a := uint64(0); a < rows*PageSize; {
		cells, _, next := m.cells(a, rows*PageSize)
		cells[0] = 1
		a = next
	}
	if m.held != rows {
		t.Errorf("%d cells for %d pages", m.held, rows)
	}
	for a := uint64(0); a < PageSize; a += 8 {
		m.cells(a, a+8)
	}
	if want := rows - 1 + PageSize/8; m.held != want {
		t.Errorf("%d cells, want %d", m.held, want)
	}
	m.cells(0, PageSize)
	m.settle(0)
	if m.held != rows {
		t.Errorf("%d cells after the page was settled, want %d", m.held, rows)
	}
}
