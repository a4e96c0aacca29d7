package polyhedral

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// bytesSource is a source of random numbers that takes the choices of a random nest
// from a fuzzer's bytes, and from a fixed seed once they are used up.
type bytesSource struct {
	data []byte
	tail *rand.PCG
}

func (s *bytesSource) Uint64() uint64 {
	if len(s.data) == 0 {
		return s.tail.Uint64()
	}
	var word [8]byte
	n := copy(word[:2], s.data)
	s.data = s.data[n:]
	// IntN uses the high bits.
	return uint64(binary.LittleEndian.Uint16(word[:2])) << 48
}

func FuzzNest(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("a nest of loops, chosen by bytes"))
	f.Add([]byte{0, 255, 1, 128, 7, 64, 200, 3, 90, 17, 33, 250, 4, 4, 4, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		r := randomNest{rand.New(&bytesSource{data, rand.NewPCG(uint64(len(data)), 3)})}
		var sums tally
		checkNest(t, r.statements(), &sums)
	})
}
