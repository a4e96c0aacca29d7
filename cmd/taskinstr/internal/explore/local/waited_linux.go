package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// waited returns how long a process could run and got no processor, by the thread that has waited longest. It is 0 where
// the kernel does not tell.
func waited(pid int) (longest time.Duration) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, name := range files {
		text, _ := os.ReadFile(name)
		fields := strings.Fields(string(text)) // time on a processor, time of waiting for one, turns
		if len(fields) < 2 {
			continue
		}
		if ns, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
			longest = max(longest, time.Duration(ns))
		}
	}
	return longest
}
