//go:build !linux

package peak

import "os"

// Watch returns a function that returns the peak of the process in bytes, once the process
// has ended.
func Watch(*os.Process) func(*os.ProcessState) float64 { return reported }
