//go:build unix

package peak

import (
	"os"
	"runtime"
	"syscall"
)

// reported returns the largest resident set that the system reports for an ended process,
// in bytes.
func reported(p *os.ProcessState) float64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return float64(u.Maxrss) // other systems count kibibytes
	}
	return float64(u.Maxrss) * 1024
}
