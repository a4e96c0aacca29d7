package trace

import (
	"strings"

	"taskinstr/detector/event"
)

// uses maps functions of a stack to the operation that they belong to. If several
// functions of a stack match, the earliest line of the table wins: a Once is made of a
// Mutex and an atomic word, and its functions say more than theirs.
var uses = []struct {
	prefix string
	use    event.Use
}{
	{"sync.(*Once)", event.UseOnce},
	{"sync.OnceFunc", event.UseOnce},
	{"sync.OnceValue", event.UseOnce},
	{"sync.(*WaitGroup)", event.UseWaitGroup},
	{"sync.(*Pool)", event.UsePool},
	{"sync.(*Cond)", event.UseCond},
	{"sync.(*RWMutex)", event.UseRWMutex},
	{"runtime.selectgo", event.UseSelect},
	{"runtime.selectnb", event.UseSelect},
	{"internal/poll.", event.UseIO},
	{"syscall.", event.UseIO},
	{"runtime.chan", event.UseChannel},
	{"runtime.closechan", event.UseChannel},
	{"sync.(*Map)", event.UseOther},
	{"time.", event.UseTimer},
	{"sync/atomic.", event.UseAtomic},
}

// Use derives the operation from a stack. It looks at the frames, from the innermost on,
// up to the first that belongs neither to the runtime nor to a synchronization package.
func (s *Symbols) Use(site, stack uint32) event.Use {
	best := len(uses)
	visit := func(i uint32) bool {
		for _, f := range s.location(i).Frames {
			known := strings.HasPrefix(f.Func, "runtime.") || strings.HasPrefix(f.Func, "sync.") ||
				strings.HasPrefix(f.Func, "internal/sync.") || strings.HasPrefix(f.Func, "internal/race.")
			for k := range uses[:best] {
				if strings.HasPrefix(f.Func, uses[k].prefix) {
					best, known = k, true
					break
				}
			}
			if !known && !strings.Contains(f.Func, "._ti_") && !strings.HasPrefix(f.Func, "sync/atomic.") {
				return false
			}
		}
		return true
	}
	if l := s.Place(site).Location; l != 0 && !visit(l) {
		return useAt(best)
	}
	for stack != 0 && int(stack) < len(s.Stacks) {
		if !visit(s.Stacks[stack].Location) {
			break
		}
		stack = s.Stacks[stack].Parent
	}
	return useAt(best)
}

func useAt(k int) event.Use {
	if k == len(uses) {
		return event.UseOther
	}
	return uses[k].use
}
