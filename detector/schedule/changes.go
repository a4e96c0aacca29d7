package schedule

// Changes are the steps of a run, drawn by chance, at which a strategy interferes. A step
// is a choice: the part of a run from one point, or the beginning, end or blocking of a
// task, to the next.
type changes struct {
	rng  rng
	at   [maxChanges]uint32 // in ascending order
	n    uint32
	next uint32 // the number of changes that have passed
	step uint32 // the number of steps so far
	off  bool   // steps do not count
}

// maxChanges is the largest number of changes of a run.
const maxChanges = 16

// If the number of steps of a run is not known, the range of the changes is drawn as well:
// a power of two between these two. So a range that suits the run has the probability
// 1/(maxRange-minRange+1).
const (
	minRange = 4
	maxRange = 18
)

// draw draws n of the steps 1 to steps, different ones, each set with the same
// probability. steps 0 means that their number is not known.
func (c *changes) draw(n, steps uint32) {
	if steps == 0 {
		steps = 1 << (minRange + c.rng.below(maxRange-minRange+1))
	}
	c.n = min(n, maxChanges, steps)
	// Robert Floyd's algorithm: j is new in every round, so a number drawn before gives way to it.
	for i := uint32(0); i < c.n; i++ {
		j := steps - c.n + 1 + i
		x := 1 + c.rng.below(j)
		for k := uint32(0); k < i; k++ {
			if c.at[k] == x {
				x = j
			}
		}
		k := i
		for ; k > 0 && c.at[k-1] > x; k-- {
			c.at[k] = c.at[k-1]
		}
		c.at[k] = x
	}
}

// due counts a step, and returns the number of the change that comes before it, from 1 on, or 0.
func (c *changes) due() uint32 {
	if c.off {
		return 0
	}
	c.step++
	if c.next < c.n && c.at[c.next] == c.step {
		c.next++
		return c.next
	}
	return 0
}
