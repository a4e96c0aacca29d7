package toolexec

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// parentLine returns the command line of a process, nil if it cannot be read.
func parentLine(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return nil
	}
	return splitLine(string(text))
}

// parentStart returns the time when a process began, in a form that distinguishes
// processes of the same id, or "" if it cannot be read.
func parentStart(pid int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The program's name, in parentheses, may hold any characters. The start time is the
	// 20th field behind it.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 {
		return ""
	}
	return fields[19]
}
