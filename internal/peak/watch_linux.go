package peak

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// On Linux a new process inherits the peak of its parent. So the peak that the system
// reports at its end is at least the parent's. Unless the reported peak is clearly larger
// than that, Watch takes the peak that the kernel shows while the process runs. The
// kernel's two counts of one process differ by the memory that its threads have yet to add.

// pollPeriod is the time between two looks at a running process.
const pollPeriod = 20 * time.Millisecond

// slack is the largest expected ratio of the two counts.
const slack = 1.125

// Watch follows a process. Call the returned function when the process has ended: it stops
// following and returns the peak in bytes.
func Watch(p *os.Process) func(*os.ProcessState) float64 {
	end, result := make(chan struct{}), make(chan float64)
	pid := strconv.Itoa(p.Pid)
	peak := residentPeak(pid) // at once: a short process may be over before the goroutine runs
	go func() {
		tick := time.NewTicker(pollPeriod)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				peak = max(peak, residentPeak(pid))
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

// residentPeak returns the largest resident set so far of a living process, in bytes.
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
