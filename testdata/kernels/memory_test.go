package kernels

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// The goroutines share a variable that the loop changes.
func TestCapturedVariable(t *testing.T) {
	var wg sync.WaitGroup
	var i int
	for i = 0; i < 2; i++ {
		wg.Go(func() { sink(i) })
	}
	wg.Wait()
}

func TestCapturedVariableFixed(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { sink(i) })
	}
	wg.Wait()
}

// A goroutine assigns to the variable err of the function around it.
func TestCapturedError(t *testing.T) {
	var wg sync.WaitGroup
	var err error
	wg.Go(func() {
		if err = errors.New("background"); err != nil {
			return
		}
	})
	if err = errors.New("foreground"); err == nil {
		t.Error("no error")
	}
	wg.Wait()
}

// One goroutine sets a flag that the other one looks at now and then.
func TestPlainFlag(t *testing.T) {
	stopped := false
	both(func() { stopped = true }, func() {
		for range 3 {
			if stopped {
				return
			}
		}
	})
}

func TestPlainFlagFixed(t *testing.T) {
	var stopped atomic.Bool
	both(func() { stopped.Store(true) }, func() {
		for range 3 {
			if stopped.Load() {
				return
			}
		}
	})
}

// Each side holds a lock, but not the same.
func TestTwoLocks(t *testing.T) {
	var a, b sync.Mutex
	n := 0
	both(func() {
		a.Lock()
		defer a.Unlock()
		n++
	}, func() {
		b.Lock()
		defer b.Unlock()
		n++
	})
}

// The reader of a map holds no lock if the map has been read once before.
func TestMapAndReader(t *testing.T) {
	var mu sync.Mutex
	m := map[int]int{}
	warm := false
	get := func() {
		mu.Lock()
		if !warm {
			warm = true
			m[1] = 1
			mu.Unlock()
			mu.Lock()
			m[2] = 2
			mu.Unlock()
			return
		}
		mu.Unlock()
		sink(m[1])
	}
	both(get, get)
}

// A cache counts its hits with the lock held in shared mode.
func TestWriteUnderRLock(t *testing.T) {
	var mu sync.RWMutex
	hits := 0
	get := func() {
		mu.RLock()
		defer mu.RUnlock()
		hits++
	}
	both(get, get)
}

// Two goroutines append to one slice.
func TestSharedAppend(t *testing.T) {
	var list []int
	add := func() { list = append(list, 1) }
	both(add, add)
}

// The first look at the pointer holds no lock.
func TestDoubleChecked(t *testing.T) {
	var mu sync.Mutex
	var config *int
	get := func() *int {
		if config == nil {
			mu.Lock()
			defer mu.Unlock()
			if config == nil {
				config = new(int)
			}
		}
		return config
	}
	both(func() { get() }, func() { get() })
}

func TestDoubleCheckedFixed(t *testing.T) {
	var once sync.Once
	var config *int
	get := func() *int {
		once.Do(func() { config = new(int) })
		return config
	}
	both(func() { get() }, func() { get() })
}

// A counter is atomic for its writers alone.
func TestPlainAndAtomic(t *testing.T) {
	n := int64(0)
	both(func() { atomic.AddInt64(&n, 1) }, func() { sink(int(n)) })
}

// A counter that is passed by value has a lock of its own.
type counter struct {
	mu sync.Mutex
	n  *int
}

func (c counter) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	*c.n++
}

func TestMutexCopy(t *testing.T) {
	c := counter{n: new(int)}
	both(c.add, c.add)
}

// A buffer is read after it was given back to its pool.
func TestPoolAfterPut(t *testing.T) {
	pool := sync.Pool{New: func() any { return new([8]byte) }}
	use := func() {
		b := pool.Get().(*[8]byte)
		b[0]++
		pool.Put(b)
		sink(int(b[0]))
	}
	both(use, use)
}

func TestPoolAfterPutFixed(t *testing.T) {
	pool := sync.Pool{New: func() any { return new([8]byte) }}
	use := func() {
		b := pool.Get().(*[8]byte)
		b[0]++
		sink(int(b[0]))
		pool.Put(b)
	}
	both(use, use)
}

// A sender writes to the buffer that it has sent.
func TestBufferReused(t *testing.T) {
	messages := make(chan []byte, 2)
	both(func() {
		b := make([]byte, 1)
		for i := range 2 {
			b[0] = byte(i)
			messages <- b
		}
		close(messages)
	}, func() {
		for m := range messages {
			sink(int(m[0]))
		}
	})
}
