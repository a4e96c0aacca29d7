package main

import "sync"

// Races with an access of the branch that the observed schedule does not take. Another
// order of the critical sections takes it, and there the race happens.

// IfElse has an access in both branches, protected in one of them (figure 1).
func (branchFeasible) IfElse() {
	var mu sync.Mutex
	x, y, c := 0, 0, false
	inOrder(func() {
		mu.Lock()
		c = true
		y = x + 1 // want feasible: y
		mu.Unlock()
	}, func() {
		mu.Lock()
		t := c
		mu.Unlock()
		if t {
			mu.Lock()
			y = x - 1
			mu.Unlock()
		} else {
			y = x + 2 // want feasible: y
		}
	})
	sink(y)
}

// NoElse has nothing at all in the branch that is taken.
func (branchFeasible) NoElse() {
	var mu sync.Mutex
	stopped, work := false, 0
	inOrder(func() {
		mu.Lock()
		stopped = true
		work = -1 // want feasible: work
		mu.Unlock()
	}, func() {
		mu.Lock()
		s := stopped
		mu.Unlock()
		if !s {
			work++ // want feasible: work
		}
	})
	sink(work)
}

// Callee: the branch calls a function that makes the access.
func (branchFeasible) Callee() {
	var mu sync.Mutex
	log, quiet := "", false
	inOrder(func() {
		mu.Lock()
		quiet = true
		log = "quiet" // want feasible: log
		mu.Unlock()
	}, func() {
		mu.Lock()
		q := quiet
		mu.Unlock()
		if q {
			sink("nothing to say")
		} else {
			write(&log, "loud")
		}
	})
	sink(log)
}

func write(to *string, text string) {
	*to = text // want(branch-feasible/Callee) feasible: *to
}

// BranchInCallee: the branch stands in a function that gets the condition.
func (branchFeasible) BranchInCallee() {
	var mu sync.Mutex
	generation, cache := 0, 10
	inOrder(func() {
		mu.Lock()
		generation++
		cache = 20 // want feasible: cache
		mu.Unlock()
	}, func() {
		mu.Lock()
		g := generation
		mu.Unlock()
		sink(fetch(g == 0, &cache))
	})
}

func fetch(old bool, cache *int) int {
	if old {
		return *cache // want(branch-feasible/BranchInCallee) feasible: *cache
	}
	return 0
}

// WrongLock: the branch not taken has a lock, which is not the one of the other task.
func (branchFeasible) WrongLock() {
	var l1, l2 sync.Mutex
	mode, count := 0, 0
	inOrder(func() {
		l1.Lock()
		mode = 1
		count++ // want feasible: count
		l1.Unlock()
	}, func() {
		l1.Lock()
		m := mode
		l1.Unlock()
		if m == 1 {
			l1.Lock()
			count++
			l1.Unlock()
		} else {
			l2.Lock()
			count++ // want feasible: count
			l2.Unlock()
		}
	})
	sink(count)
}

// UnlocksFirst: the lock is held at the branch, and one side gives it up before its access.
func (branchFeasible) UnlocksFirst() {
	var mu sync.Mutex
	busy, total := false, 0
	inOrder(func() {
		mu.Lock()
		busy = true
		total++ // want feasible: total
		mu.Unlock()
	}, func() {
		mu.Lock()
		if busy {
			total++
			mu.Unlock()
		} else {
			mu.Unlock()
			total++ // want feasible: total
		}
	})
	sink(total)
}

// Arithmetic: the condition is computed from a counter that the other task changes.
func (branchFeasible) Arithmetic() {
	var mu sync.Mutex
	n, x := 4, 0
	inOrder(func() {
		mu.Lock()
		n = 3*n + 1
		x = n // want feasible: x
		mu.Unlock()
	}, func() {
		mu.Lock()
		v := n
		mu.Unlock()
		if v%2 == 0 {
			x = v / 2 // want feasible: x
		}
	})
	sink(x)
}

// TwoReads: the condition needs the values of two critical sections.
func (branchFeasible) TwoReads() {
	var la, lb sync.Mutex
	a, b, x := 0, 0, 0
	inOrder(func() {
		locked(&la, func() { a = 1 })
		locked(&lb, func() { b = 1 })
		x = 1 // want feasible: x
	}, func() {
		var va, vb int
		locked(&la, func() { va = a })
		locked(&lb, func() { vb = b })
		if va+vb < 2 {
			sink(x) // want feasible: x
		}
	})
}

// Switch has the access in one of several clauses.
func (branchFeasible) Switch() {
	var mu sync.Mutex
	state, retries := "idle", 0
	inOrder(func() {
		mu.Lock()
		state = "running"
		retries = 0 // want feasible: retries
		mu.Unlock()
	}, func() {
		mu.Lock()
		s := state
		mu.Unlock()
		switch s {
		case "idle":
			retries++ // want feasible: retries
		case "running":
			sink("wait")
		default:
			sink("stop")
		}
	})
	sink(retries)
}

// ReadNotTaken: the branch not taken reads, and the other task writes.
func (branchFeasible) ReadNotTaken() {
	var mu sync.RWMutex
	valid := true
	table := []int{1, 2, 3}
	inOrder(func() {
		mu.Lock()
		valid = false
		table[1] = 0 // want feasible: table[1]
		mu.Unlock()
	}, func() {
		mu.RLock()
		ok := valid
		mu.RUnlock()
		v := -1
		if ok {
			v = table[1] // want feasible: table[1]
		}
		sink(v)
	})
}

// Index: the element that the branch would write is computed before it.
func (branchFeasible) Index() {
	var mu sync.Mutex
	full := false
	slots := make([]int, 4)
	inOrder(func() {
		mu.Lock()
		full = true
		mu.Unlock()
		slots[3] = 9 // want feasible: slots[3]
	}, func() {
		mu.Lock()
		f := full
		i := len(slots) - 1
		mu.Unlock()
		if !f {
			slots[i] = 1 // want feasible: slots[i]
		}
	})
}

// Pointer: what the branch would write is reached through a structure.
func (branchFeasible) Pointer() {
	type node struct {
		next *node
		uses int
	}
	var mu sync.Mutex
	tail := &node{}
	list := &node{next: tail}
	closed := false
	inOrder(func() {
		mu.Lock()
		closed = true
		tail.uses = -1 // want feasible: tail.uses
		mu.Unlock()
	}, func() {
		mu.Lock()
		c := closed
		mu.Unlock()
		if !c {
			list.next.uses++ // want feasible: list.next.uses
		}
	})
}

// Grandchild: the branch is in a task that a task starts.
func (branchFeasible) Grandchild() {
	var mu sync.Mutex
	cancelled, result := false, 0
	before(func() {
		mu.Lock()
		cancelled = true
		mu.Unlock()
		result = -1 // want feasible: result
	}, func() {
		parallel(func() {
			mu.Lock()
			c := cancelled
			mu.Unlock()
			if !c {
				result = 42 // want feasible: result
			}
		})
	})
	sink(result)
}

// EarlyReturn: the rest of the function is the branch not taken.
func (branchFeasible) EarlyReturn() {
	var mu sync.Mutex
	owner, x := "", 0
	claim := func(name string) bool {
		mu.Lock()
		defer mu.Unlock()
		if owner != "" {
			return false
		}
		owner = name
		return true
	}
	inOrder(func() {
		if claim("first") {
			sink("mine")
		}
		x = 1 // want feasible: x
	}, func() {
		if !claim("second") {
			return
		}
		x = 2 // want feasible: x
	})
	sink(x)
}
