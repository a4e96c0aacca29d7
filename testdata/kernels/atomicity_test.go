package kernels

import (
	"sync"
	"sync/atomic"
	"testing"
)

// The owner is asked for and the lock given up in two steps, which two goroutines make.
func TestUnlockTwice(t *testing.T) {
	var mu sync.Mutex
	var held atomic.Bool
	mu.Lock()
	held.Store(true)
	release := func() {
		if held.Load() {
			held.Store(false)
			mu.Unlock()
		}
	}
	both(release, release)
}

// Two goroutines see the last ticket, each under the lock, and both sell it.
func TestCheckThenAct(t *testing.T) {
	var mu sync.Mutex
	tickets := 1
	sell := func() {
		mu.Lock()
		left := tickets
		mu.Unlock()
		if left > 0 {
			mu.Lock()
			tickets--
			mu.Unlock()
		}
	}
	both(sell, sell)
	if tickets < 0 {
		t.Error("more tickets were sold than there are")
	}
}

func TestCheckThenActFixed(t *testing.T) {
	var mu sync.Mutex
	tickets := 1
	sell := func() {
		mu.Lock()
		defer mu.Unlock()
		if tickets > 0 {
			tickets--
		}
	}
	both(sell, sell)
	if tickets < 0 {
		t.Error("more tickets were sold than there are")
	}
}

// A sum is read and written under the lock, but the lock is not held in between.
func TestLostUpdate(t *testing.T) {
	var mu sync.Mutex
	sum := 0
	add := func() {
		mu.Lock()
		n := sum
		mu.Unlock()
		n++
		mu.Lock()
		sum = n
		mu.Unlock()
	}
	both(add, add)
	if sum != 2 {
		t.Errorf("the sum is %d", sum)
	}
}

// The same with atomic operations.
func TestLoadThenStore(t *testing.T) {
	var sum atomic.Int64
	add := func() { sum.Store(sum.Load() + 1) }
	both(add, add)
	if n := sum.Load(); n != 2 {
		t.Errorf("the sum is %d", n)
	}
}

func TestLoadThenStoreFixed(t *testing.T) {
	var sum atomic.Int64
	add := func() { sum.Add(1) }
	both(add, add)
	if n := sum.Load(); n != 2 {
		t.Errorf("the sum is %d", n)
	}
}

// A limit is compared before the number grows, and not with the grown number.
func TestAtomicLimit(t *testing.T) {
	var open atomic.Int64
	accept := func() {
		if open.Load() < 1 {
			open.Add(1)
		}
	}
	both(accept, accept)
	if n := open.Load(); n > 1 {
		t.Errorf("%d connections", n)
	}
}

// The last of two users frees an object, but both may find that they are the last.
func TestRefCount(t *testing.T) {
	var users atomic.Int64
	users.Store(2)
	freed := make(chan bool)
	release := func() {
		users.Add(-1)
		if users.Load() == 0 {
			close(freed)
		}
	}
	both(release, release)
	<-freed
}

func TestRefCountFixed(t *testing.T) {
	var users atomic.Int64
	users.Store(2)
	freed := make(chan bool)
	release := func() {
		if users.Add(-1) == 0 {
			close(freed)
		}
	}
	both(release, release)
	<-freed
}

// Two goroutines miss the same entry of a cache, and both make it.
func TestSyncMapTwice(t *testing.T) {
	var cache sync.Map
	var made atomic.Int64
	get := func() {
		if _, ok := cache.Load("a"); !ok {
			cache.Store("a", made.Add(1))
		}
	}
	both(get, get)
	if n := made.Load(); n != 1 {
		t.Errorf("the entry was made %d times", n)
	}
}

// A sum over two accounts is taken with one lock at a time while money moves.
func TestTwoSnapshots(t *testing.T) {
	type account struct {
		sync.Mutex
		money int
	}
	var a, b account
	a.money = 1
	read := func(x *account) int {
		x.Lock()
		defer x.Unlock()
		return x.money
	}
	both(func() {
		a.Lock()
		b.Lock()
		a.money, b.money = 0, 1
		b.Unlock()
		a.Unlock()
	}, func() {
		if sum := read(&a) + read(&b); sum != 1 {
			t.Errorf("the sum is %d", sum)
		}
	})
}

// An update is left out if the lock is held at that moment.
func TestTryLockSkips(t *testing.T) {
	var mu sync.Mutex
	n := 0
	count := func() {
		if mu.TryLock() {
			n++
			mu.Unlock()
		}
	}
	both(count, count)
	if n != 2 {
		t.Errorf("%d of 2 were counted", n)
	}
}

// The same, with an operation while the lock is held.
func TestTryLockWorks(t *testing.T) {
	var mu sync.Mutex
	var n atomic.Int64
	count := func() {
		if mu.TryLock() {
			n.Add(1)
			mu.Unlock()
		}
	}
	both(count, count)
	if got := n.Load(); got != 2 {
		t.Errorf("%d of 2 were counted", got)
	}
}

func TestTryLockWorksFixed(t *testing.T) {
	var mu sync.Mutex
	var n atomic.Int64
	count := func() {
		mu.Lock()
		n.Add(1)
		mu.Unlock()
	}
	both(count, count)
	if got := n.Load(); got != 2 {
		t.Errorf("%d of 2 were counted", got)
	}
}
