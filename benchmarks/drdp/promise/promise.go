// Package promise implements promises with channels. One task sets the value of a promise
// once. Any number of tasks get the value; each waits until it is set. Closing the
// channel orders the Set before every Get.
package promise

// A Promise is a promise of a value.
type Promise[T any] struct {
	set   chan struct{}
	value T
}

// New returns a promise that is not set.
func New[T any]() *Promise[T] { return &Promise[T]{set: make(chan struct{})} }

// Set sets the value. A second Set panics.
func (p *Promise[T]) Set(v T) {
	p.value = v
	close(p.set)
}

// Get waits for the value and returns it.
func (p *Promise[T]) Get() T {
	<-p.set
	return p.value
}

// Go runs f in a task and returns a promise of its result.
func Go[T any](f func() T) *Promise[T] {
	p := New[T]()
	go func() { p.Set(f()) }()
	return p
}

// Done is a promise without a value.
type Done chan struct{}

// NewDone returns a promise that is not set.
func NewDone() Done { return make(Done) }

// Set sets the promise. A second Set panics.
func (d Done) Set() { close(d) }

// Get waits until the promise is set.
func (d Done) Get() { <-d }

// Do runs f in a task and returns a promise that is set when f returns.
func Do(f func()) Done {
	d := NewDone()
	go func() {
		f()
		d.Set()
	}()
	return d
}
