package toolexec

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// parentLine returns the command line of a process, nil if it is not known.
func parentLine(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return nil
	}
	return splitLine(string(text))
}

// parentStart tells when a process began, in a form that only tells processes of
// one id apart; "" if it is not known.
func parentStart(pid int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The name, in parentheses, may hold anything; the 20th field behind it counts.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 {
		return ""
	}
	return fields[19]
}
