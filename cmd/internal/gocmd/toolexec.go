package gocmd

import (
	"fmt"
	"os"
)

// Toolexec returns the flag with which the go command calls this program with the options
// in front of each tool.
func Toolexec(options []string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("cannot find its own executable, which -toolexec needs: %w", err)
	}
	tool, ok := Quote(append([]string{self}, options...))
	if !ok {
		return "", fmt.Errorf("the path of taskinstr or an option contains both kinds of quotes, which -toolexec cannot express: %s", self)
	}
	return "-toolexec=" + tool, nil
}
