package promise

import "testing"

func TestPromise(t *testing.T) {
	p := New[int]()
	sum := Go(func() int { return p.Get() + p.Get() })
	p.Set(21)
	if got := sum.Get(); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
	n := 0
	Do(func() { n++ }).Get()
	if n != 1 {
		t.Error("done before it was")
	}
}

func TestSetTwice(t *testing.T) {
	p := New[int]()
	p.Set(1)
	defer func() {
		if recover() == nil {
			t.Error("a promise was set twice")
		}
	}()
	p.Set(2)
}
