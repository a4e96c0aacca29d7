package local

import (
	"context"
	"time"
)

// An allowance is the time that a process may take. The time for which it could run and got no processor does not count: on a busy
// machine a test would have no end otherwise. A process takes at most busiest times its limit, whatever it waits for.
type allowance struct {
	limit time.Duration
	given time.Duration // so far, in addition
}

// busiest is how many times longer than its limit a process may take.
const busiest = 5

// more returns the time that the process gets in addition when its time is over. waited is the time for which it has waited for a
// processor since its start. 0 ends the process.
func (a *allowance) more(waited time.Duration) time.Duration {
	n := min(waited, (busiest-1)*a.limit) - a.given
	const least = 10 * time.Millisecond // so that a process that no longer waits is ended
	if n < least {
		return 0
	}
	a.given += n
	return n
}

// overtime waits until a process has ended, ctx is done, over is closed, or the time of the process is over. It reports whether the
// time is over, which over says, too.
func overtime(ctx context.Context, ended, over <-chan struct{}, limit time.Duration, pid int) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for a := (allowance{limit: limit}); ; {
		select {
		case <-ended:
			return false
		case <-ctx.Done():
			return false
		case <-over:
			return true
		case <-timer.C:
		}
		more := a.more(waited(pid))
		if more == 0 {
			return true
		}
		timer.Reset(more)
	}
}
