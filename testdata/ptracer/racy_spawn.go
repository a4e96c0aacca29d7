package main

import (
	"errors"
	"strconv"
	"sync"
)

// Races of tasks without locks.

// SiblingWrites: two tasks write one variable.
func (racy) SiblingWrites() {
	x := 0
	parallel(func() {
		x = 1 // want race: x
	}, func() {
		x = 2 // want race: x
	})
	sink(x)
}

// SiblingReadWrite: one task reads what another one writes.
func (racy) SiblingReadWrite() {
	x := 0
	parallel(func() {
		sink(x) // want race: x
	}, func() {
		x = 2 // want race: x
	})
}

// Continuation: the spawning task writes before it waits.
func (racy) Continuation() {
	x := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		x = 1 // want race: x
	})
	x = 2 // want race: x
	wg.Wait()
	sink(x)
}

// OtherGroup: the wait is for another group of tasks.
func (racy) OtherGroup() {
	var waited, forgotten sync.WaitGroup
	x, y := 0, 0
	forgotten.Go(func() {
		x = 1 // want race: x
	})
	waited.Go(func() {
		y = 1
	})
	waited.Wait()
	sink(x + y) // want race: x
	forgotten.Wait()
}

// Counter: the tasks of a loop share a counter.
func (racy) Counter() {
	n := 0
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			n++ // want race: n
		})
	}
	wg.Wait()
	sink(n)
}

// NextElement: each task writes its own element and the first of its neighbor.
func (racy) NextElement() {
	xs := make([]int, 5)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			xs[i] = i       // want race: xs[i]
			xs[i+1] = i * i // want race: xs[i+1]
		})
	}
	wg.Wait()
}

// AliasedField: two pointers lead to one structure.
func (racy) AliasedField() {
	type account struct{ balance, limit int }
	a := &account{}
	b := a
	parallel(func() {
		a.balance += 10 // want race: a.balance
	}, func() {
		b.limit = 5
		b.balance -= 10 // want race: b.balance
	})
}

// Append: two tasks append to one slice: its header races, and maybe its elements.
func (racy) Append() {
	var words []string
	parallel(func() {
		words = append(words, "a") // want race: -
	}, func() {
		words = append(words, "b") // want race: -
	})
	sink(words)
}

// MapKeys: the keys differ, and yet it is one map.
func (racy) MapKeys() {
	m := map[string]int{}
	parallel(func() {
		m["a"] = 1 // want race: m["a"]
	}, func() {
		sink(m["b"]) // want race: m["b"]
	})
}

// SharedError: tasks assign the error of the function around them.
func (racy) SharedError() {
	var err error
	parallel(func() {
		_, err = strconv.Atoi("x") // want race: err
	}, func() {
		err = errors.New("failed") // want race: err
	})
	sink(err)
}

// ManyReaders: many tasks read what one of their siblings writes.
func (racy) ManyReaders() {
	config := 1
	fs := []func(){func() {
		config = 2 // want race: config
	}}
	for range 6 {
		fs = append(fs, func() {
			sink(config) // want race: config
		})
	}
	parallel(fs...)
}

// HalfWord: a task writes a byte of what another one reads as a whole.
func (racy) HalfWord() {
	var key [8]byte
	parallel(func() {
		key[3] = 1 // want race: key[3]
	}, func() {
		sink(string(key[:]) == "password") // want race: -
	})
}

// StringHeader: a string is assigned while another task reads it.
func (racy) StringHeader() {
	name := "a"
	parallel(func() {
		name = "longer" // want race: name
	}, func() {
		sink(len(name)) // want race: name
	})
}

// Stages: the second stage begins before the first one has ended.
func (racy) Stages() {
	a, b := make([]int, 3), make([]int, 3)
	var wg sync.WaitGroup
	for i := range a {
		wg.Go(func() {
			a[i] = i + 1 // want race: a[i]
		})
	}
	for i := range b {
		wg.Go(func() {
			b[i] = a[len(a)-1-i] // want race: a[len(a)-1-i]
		})
	}
	wg.Wait()
}
