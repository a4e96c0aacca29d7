//go:build taskinstr_runtime

// The names of tests, for reports, and the beginnings of tests, for schedules.

package testing

import "sync"

// taskinstr_names has a copy of each test's name. The detector holds the addresses, which
// the garbage collector does not see.
var taskinstr_names struct {
	sync.Mutex
	of map[string]*string
}

// taskinstr_runs says that the calling goroutine runs a test from now on, or none if name
// is empty.
func taskinstr_runs(name string) {
	if name == "" {
		taskinstr_test(nil)
		return
	}
	taskinstr_test(taskinstr_name(name))
}

// taskinstr_name returns the address of the copy of a name. Its own lock orders no tests.
func taskinstr_name(name string) *string {
	defer taskinstr_resume(taskinstr_suspend())
	n := &taskinstr_names
	n.Lock()
	defer n.Unlock()
	p := n.of[name]
	if p == nil {
		if n.of == nil {
			n.of = map[string]*string{}
		}
		p = new(string)
		*p = name
		n.of[name] = p
	}
	return p
}

// taskinstr_starts is called before t's function. The test above all others is package testing's own.
func (t *T) taskinstr_starts() {
	if t.parent != nil {
		taskinstr_begins()
		taskinstr_harness(false)
	}
}
