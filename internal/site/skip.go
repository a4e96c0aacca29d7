package site

import (
	"path/filepath"
	"strings"
)

// unchecked lists the packages whose memory accesses are not checked, besides
// the runtime's own folders, with the reason of each.
var unchecked = map[string]string{
	"internal/abi":            "imported by the runtime",
	"internal/byteorder":      "imported by the runtime",
	"internal/chacha8rand":    "imported by the runtime",
	"internal/coverage/rtcov": "imported by the runtime",
	"internal/cpu":            "imported by the runtime",
	"internal/goarch":         "imported by the runtime",
	"internal/godebugs":       "imported by the runtime",
	"internal/goexperiment":   "imported by the runtime",
	"internal/goos":           "imported by the runtime",
	"internal/profilerecord":  "imported by the runtime",
	"internal/strconv":        "imported by the runtime",
	"internal/stringslite":    "imported by the runtime",
	"runtime/race":            "the detector's own face",
	"runtime/msan":            "another detector's face",
	"runtime/asan":            "another detector's face",
	"internal/race":           "the hooks themselves",
	"internal/msan":           "another detector's face",
	"internal/asan":           "another detector's face",
	"sync":                    "its happens-before edges come from the hooks, its inner accesses are synchronized by them",
	"internal/sync":           "its happens-before edges come from the hooks, its inner accesses are synchronized by them",
	"sync/atomic":             "patched as a whole",
	"taskinstr/rt/task":       "its events say what orders its tasks, its inner accesses are synchronized",
	"unsafe":                  "has no code",
}

// RuntimeChecked is the one package of the runtime's own that gets checks, as with Go's
// own detector: packages bytes and strings search slices of the program with it. The
// runtime calls none of its functions that access such slices.
const RuntimeChecked = "internal/bytealg"

// Skip reports whether the package with this import path gets no checks, and
// why. It holds for the test variants of a package too.
func Skip(path string) (reason string, skip bool) {
	path, _, _ = strings.Cut(path, " ")
	if path == "runtime" || strings.HasPrefix(path, "internal/runtime/") || strings.HasPrefix(path, "runtime/internal/") {
		return "the runtime", true
	}
	reason, skip = unchecked[path]
	return reason, skip
}

// CgoFile reports whether cgo made the file called name for itself.
func CgoFile(name string) bool {
	base := filepath.Base(name)
	return base == "_cgo_gotypes.go" || base == "_cgo_import.go" || strings.HasPrefix(base, "_cgo_export")
}
