package dfs

import "testing"

// An exploration says what it has seen and what is left.
func TestCovered(t *testing.T) {
	p := parse("go 1; go 2\nlock m; unlock m\nlock m; unlock m")
	e := &Explorer{}
	var said []string
	for {
		said = append(said, e.Covered().String())
		prefix, ok := e.Next()
		if !ok {
			break
		}
		choices, _ := p.run(prefix)
		choices[0].Late = e.Runs == 1
		if err := e.Done(choices); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"0 orders in 0 runs, at least 1 left",
		"1 orders in 1 runs, at least 1 left",
		"all 2 orders, in 2 runs; not those in which the clock or the system is earlier",
	}
	for i := range want {
		if i >= len(said) || said[i] != want[i] {
			t.Fatalf("said %q, want %q", said, want)
		}
	}
}
