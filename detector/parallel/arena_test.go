package parallel

import "testing"

// An arena commits little more memory than its elements need, until it is large.
func TestArenaCommits(t *testing.T) {
	var a arena
	a.init(64, 0, 1<<30, "elements")
	defer a.close()
	for a.next < 1<<18 {
		a.get()
		used := uintptr(a.next) * a.size
		slack := uintptr(arenaChunk)
		switch {
		case used > hugeFrom:
			slack = hugeChunk
		case used > arenaChunk:
			slack = midChunk
		}
		if a.committed-used > slack || a.committed < used {
			t.Fatalf("%d bytes committed for %d", a.committed, used)
		}
	}
}
