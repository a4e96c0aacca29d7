package toolexec

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
)

// goarch returns the target architecture. The go command exports it if it differs from
// its own.
func goarch() string {
	if a := os.Getenv("GOARCH"); a != "" {
		return a
	}
	return runtime.GOARCH
}

// goos returns the target operating system.
func goos() string {
	if s := os.Getenv("GOOS"); s != "" {
		return s
	}
	return runtime.GOOS
}

// The platforms that the detector supports. It asks the operating system for memory, and
// its shadow needs a 64-bit address space.
var (
	systems       = []string{"darwin", "linux", "windows"}
	architectures = []string{"amd64", "arm64"}
)

// Systems returns the supported operating systems, Architectures the supported processors.
func Systems() []string       { return slices.Clone(systems) }
func Architectures() []string { return slices.Clone(architectures) }

func checkPlatform(goos, goarch string) error {
	if slices.Contains(systems, goos) && slices.Contains(architectures, goarch) {
		return nil
	}
	return fmt.Errorf("cannot build for %s/%s: the race detector supports %s on %s", goos, goarch, strings.Join(systems, ", "), strings.Join(architectures, ", "))
}
