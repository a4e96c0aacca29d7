package local

import (
	"os"
	"testing"
	"time"
)

func TestAllowance(t *testing.T) {
	for _, test := range []struct {
		waited []time.Duration // when the time is over, in seconds
		want   []time.Duration // the further time
	}{
		{[]time.Duration{0}, []time.Duration{0}},
		{[]time.Duration{6, 9, 9}, []time.Duration{6, 3, 0}},
		{[]time.Duration{30, 60, 90}, []time.Duration{30, 10, 0}},
	} {
		a := allowance{limit: 10 * time.Second}
		for i, waited := range test.waited {
			if got := a.more(waited * time.Second); got != test.want[i]*time.Second {
				t.Errorf("%v: the %d-th time is %v, want %d s", test.waited, i+1, got, test.want[i])
			}
		}
	}
}

// A process waits for a processor for less time than it lives.
func TestWaited(t *testing.T) {
	if d := waited(os.Getpid()); d < 0 || d > time.Hour {
		t.Errorf("this process has waited for %v", d)
	}
	if d := waited(1 << 30); d != 0 {
		t.Errorf("a process that does not exist has waited for %v", d)
	}
}
