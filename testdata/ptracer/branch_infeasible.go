package main

import "sync"

// Accesses of branches not taken that would race if their branch were taken; no schedule
// brings that about.

// Constant: the condition is set before the tasks start.
func (branchInfeasible) Constant() {
	var mu sync.Mutex
	verbose, x := false, 0
	inOrder(func() {
		mu.Lock()
		x = 1 // want infeasible: x
		mu.Unlock()
	}, func() {
		mu.Lock()
		v := verbose
		mu.Unlock()
		if v {
			x = 2 // want infeasible: x
		}
	})
	sink(x)
}

// SameValue: the other task writes what the condition reads, and never another value.
func (branchInfeasible) SameValue() {
	var mu sync.Mutex
	failed, x := false, 0
	inOrder(func() {
		mu.Lock()
		failed = false
		x = 1 // want infeasible: x
		mu.Unlock()
	}, func() {
		mu.Lock()
		f := failed
		mu.Unlock()
		if f {
			x = -1 // want infeasible: x
		}
	})
	sink(x)
}

// OwnCondition: the condition belongs to the task alone.
func (branchInfeasible) OwnCondition() {
	var mu sync.Mutex
	x := 0
	task := func(id int) {
		attempts := 0
		mu.Lock()
		x += id // want infeasible: x
		mu.Unlock()
		attempts++
		if attempts > 1 {
			x = 0 // want infeasible: x
		}
	}
	inOrder(func() { task(1) }, func() { task(2) })
	sink(x)
}

// OnlyGrows: the counter begins above what the condition asks for.
func (branchInfeasible) OnlyGrows() {
	var mu sync.Mutex
	references, freed := 1, false
	inOrder(func() {
		mu.Lock()
		references++
		freed = false // want infeasible: freed
		mu.Unlock()
	}, func() {
		mu.Lock()
		r := references
		mu.Unlock()
		if r == 0 {
			freed = true // want infeasible: freed
		}
	})
	sink(freed)
}

// WrittenBefore: the condition was written by a task that has been waited for.
func (branchInfeasible) WrittenBefore() {
	var mu sync.Mutex
	loaded, x := false, 0
	parallel(func() { locked(&mu, func() { loaded = true }) })
	inOrder(func() {
		locked(&mu, func() {
			x = 1 // want infeasible: x
		})
	}, func() {
		mu.Lock()
		l := loaded
		mu.Unlock()
		if !l {
			x = 2 // want infeasible: x
		}
	})
	sink(x)
}

// Argument: the callee's condition is the same for every caller.
func (branchInfeasible) Argument() {
	var mu sync.Mutex
	size := 0
	inOrder(func() {
		mu.Lock()
		grow(&size, 8)
		mu.Unlock()
	}, func() {
		mu.Lock()
		grow(&size, 4)
		mu.Unlock()
		reset(&size, 4)
	})
	sink(size)
}

func grow(size *int, n int) {
	*size += n // want(branch-infeasible/Argument) infeasible: *size
}

func reset(size *int, n int) {
	if n <= 0 {
		*size = 0 // want(branch-infeasible/Argument) infeasible: *size
	}
}

// Correlated: the access is in the else of a branch whose condition has already been true.
func (branchInfeasible) Correlated() {
	var mu sync.Mutex
	ready, x := false, 0
	inOrder(func() {
		mu.Lock()
		ready = true
		x = 1 // want infeasible: x
		mu.Unlock()
	}, func() {
		mu.Lock()
		r := ready
		late := r
		mu.Unlock()
		if r != late {
			x = 2 // want infeasible: x
		}
	})
	sink(x)
}

// Invariant: two variables change in one critical section, and their sum stays.
func (branchInfeasible) Invariant() {
	var mu sync.Mutex
	from, to, alarms := 100, 0, 0
	inOrder(func() {
		mu.Lock()
		from -= 30
		to += 30
		alarms = 0 // want infeasible: alarms
		mu.Unlock()
	}, func() {
		mu.Lock()
		sum := from + to
		mu.Unlock()
		if sum != 100 {
			alarms++ // want infeasible: alarms
		}
	})
	sink(alarms)
}

// HandedOver: the branch is taken in the other schedule, but then the value that it
// asks for has handed over the variable.
func (branchInfeasible) HandedOver() {
	var mu sync.Mutex
	ready, message := false, ""
	inOrder(func() {
		mu.Lock()
		r := ready
		mu.Unlock()
		if r {
			sink(message) // want infeasible: message
		}
	}, func() {
		message = "hello" // want infeasible: message
		mu.Lock()
		ready = true
		mu.Unlock()
	})
}

// Parity: whatever the order, the number is even.
func (branchInfeasible) Parity() {
	var mu sync.Mutex
	n, odd := 2, 0
	inOrder(func() {
		mu.Lock()
		n *= 3
		odd = 0 // want infeasible: odd
		mu.Unlock()
	}, func() {
		mu.Lock()
		n += 4
		v := n
		mu.Unlock()
		if v&1 == 1 {
			odd++ // want infeasible: odd
		}
	})
	sink(odd)
}

// OneOfTwo: the variable has one value or the other, and the condition asks for a third.
func (branchInfeasible) OneOfTwo() {
	var mu sync.Mutex
	winner, x := 0, 0
	inOrder(func() {
		mu.Lock()
		winner = 1
		x = 1 // want infeasible 1: x
		mu.Unlock()
	}, func() {
		mu.Lock()
		winner = 2
		w := winner
		mu.Unlock()
		if w == 1 {
			x = 2 // want infeasible 1: x
		}
	})
	sink(x)
}

// NeverNil: the pointer is replaced, and not by nil.
func (branchInfeasible) NeverNil() {
	type config struct{ level int }
	var mu sync.Mutex
	current, defaults := &config{1}, 0
	inOrder(func() {
		mu.Lock()
		current = &config{2}
		defaults = 0 // want infeasible: defaults
		mu.Unlock()
	}, func() {
		mu.Lock()
		c := current
		mu.Unlock()
		if c == nil {
			defaults++ // want infeasible: defaults
		}
	})
	sink(defaults)
}

// LengthBound: the queue never gets as long as the condition asks for.
func (branchInfeasible) LengthBound() {
	var mu sync.Mutex
	var queue []int
	dropped := 0
	push := func(v int) int {
		mu.Lock()
		defer mu.Unlock()
		queue = append(queue, v)
		return len(queue)
	}
	inOrder(func() {
		if push(1) > 2 {
			dropped++ // want infeasible: dropped
		}
	}, func() {
		if push(2) > 2 {
			dropped++ // want infeasible: dropped
		}
	})
	sink(dropped)
}

// CommonLock: the branch is taken in the other schedule, and holds the lock that
// the other task holds.
func (branchInfeasible) CommonLock() {
	var mu sync.Mutex
	open, x := true, 0
	inOrder(func() {
		mu.Lock()
		open = false
		x = 1 // want infeasible: x
		mu.Unlock()
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		if open {
			x = 2 // want infeasible: x
		}
	})
	sink(x)
}
