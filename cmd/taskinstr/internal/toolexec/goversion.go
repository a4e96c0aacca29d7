package toolexec

import (
	"fmt"
	"go/version"
	"runtime"
	"strings"
)

// reinstall says which Go must build this program for the toolchain in use.
func reinstall(toolchain string) string {
	own := runtime.Version()
	if toolchain == "" {
		toolchain = "another Go"
	}
	return fmt.Sprintf("taskinstr was built with %s, the toolchain in use is %s: install taskinstr again with that Go", own, toolchain)
}

// langLess reports whether language version a is older than b. An absent
// version is the newest.
func langLess(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	return version.Compare(version.Lang(addGo(a)), version.Lang(b)) < 0
}

func addGo(v string) string {
	if strings.HasPrefix(v, "go") {
		return v
	}
	return "go" + v
}
