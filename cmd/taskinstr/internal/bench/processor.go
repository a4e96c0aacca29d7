package bench

import (
	"os"
	"strings"
)

// processor returns the name of the processor, "" if the system does not name it in a file.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for l := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
