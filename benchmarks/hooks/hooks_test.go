package main

import "testing"

// Each operation runs to its end, and takes time.
func TestOperations(t *testing.T) {
	names := map[string]bool{}
	for _, o := range operations {
		if names[o.name] {
			t.Errorf("two operations are called %q", o.name)
		}
		names[o.name] = true
		if ns := o.measure(2000); ns < 0 {
			t.Errorf("%s: %v ns", o.name, ns)
		}
	}
}
