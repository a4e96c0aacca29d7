package toolexec

import (
	"errors"
	"fmt"
	"go/version"
	"runtime"
	"strings"
)

// The Go versions that are known to work. An older version is refused. A newer version is
// accepted, since every patch checks that it applies.
const (
	OldestGo = "1.25"
	NewestGo = "1.27"
)

// CheckGo reports whether this program can work with a toolchain, given its
// version (go1.26.8; a development version may have more words).
func CheckGo(toolchain string) error {
	lang := version.Lang(strings.Fields(toolchain + " ?")[0])
	if lang == "" {
		return nil // a development version: the patches and the reader of export data check it
	}
	if version.Compare(lang, "go"+OldestGo) < 0 {
		return fmt.Errorf("%s is too old: taskinstr supports Go %s to %s", toolchain, OldestGo, NewestGo)
	}
	// A type checker supports its own language version and older ones only.
	if own := version.Lang(runtime.Version()); own != "" && version.Compare(own, lang) < 0 {
		return errors.New(reinstall(toolchain))
	}
	return nil
}

// reinstall returns a message that names the Go version with which this program must be
// built for the toolchain in use.
func reinstall(toolchain string) string {
	own := runtime.Version()
	if toolchain == "" {
		toolchain = "another Go"
	}
	return fmt.Sprintf("it was built with %s, the toolchain in use is %s: install taskinstr again with that Go (GOTOOLCHAIN=%s go install …)", own, toolchain, toolchain)
}

// langLess reports whether language version a is older than b. An empty version is the
// newest.
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
