package toolexec

import (
	"fmt"
	"os"
)

// parentLine returns the command line of a process, nil if it is not known.
func parentLine(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return nil
	}
	return splitLine(string(text))
}
