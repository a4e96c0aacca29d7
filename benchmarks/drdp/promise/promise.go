// Package promise has promises made of channels: a value that one task sets,
// once, and any number of tasks get, each waiting until it is there. Closing the
// channel orders the setting before every getting.
package promise

// A Promise of a value.
type Promise[T any] struct {
	set   chan struct{}
	value T
}

// New returns a promise that is not set.
func New[T any]() *Promise[T] { return &Promise[T]{set: make(chan struct{})} }

// Set gives the value. A second Set panics.
func (p *Promise[T]) Set(v T) {
	p.value = v
	close(p.set)
}

// Get waits for the value.
func (p *Promise[T]) Get() T {
	<-p.set
	return p.value
}

// Go runs f in a task and promises its result.
func Go[T any](f func() T) *Promise[T] {
	p := New[T]()
	go func() { p.Set(f()) }()
	return p
}

// Done is the promise that something is done, without a value.
type Done chan struct{}

// NewDone returns a promise that is not set.
func NewDone() Done { return make(Done) }

// Set says that it is done. A second Set panics.
func (d Done) Set() { close(d) }

// Get waits until it is done.
func (d Done) Get() { <-d }

// Do runs f in a task and promises that it ends.
func Do(f func()) Done {
	d := NewDone()
	go func() {
		f()
		d.Set()
	}()
	return d
}
