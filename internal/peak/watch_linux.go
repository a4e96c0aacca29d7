package peak

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// On Linux a process begins with the peak of the one that started it as its own:
// what is reported at its end cannot be less than what this process has used.
// Where it is not clearly more, the peak that the kernel shows while it runs is
// taken: the kernel's two counts of one process differ by what each thread has yet
// to add.

// pollPeriod is how often a running process is looked at.
const pollPeriod = 20 * time.Millisecond

// slack is by how much the two counts may differ.
const slack = 1.125

// Watch follows a process; the function it returns ends that, once the
// process has ended, and returns the peak in bytes.
func Watch(p *os.Process) func(*os.ProcessState) float64 {
	end, result := make(chan struct{}), make(chan float64)
	go func() {
		peak := 0.0
		tick := time.NewTicker(pollPeriod)
		defer tick.Stop()
		for {
			peak = max(peak, residentPeak(strconv.Itoa(p.Pid)))
			select {
			case <-tick.C:
			case <-end:
				result <- peak
				return
			}
		}
	}()
	return func(s *os.ProcessState) float64 {
		close(end)
		seen, end := <-result, reported(s)
		if end > residentPeak("self")*slack || seen == 0 {
			return end
		}
		return seen
	}
}

// residentPeak is the largest resident set of a living process so far.
func residentPeak(pid string) float64 {
	text, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "\nVmHWM:")
	var kib float64
	fmt.Sscan(rest, &kib)
	return kib * 1024
}
