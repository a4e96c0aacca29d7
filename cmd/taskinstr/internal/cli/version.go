package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"taskinstr/cmd/taskinstr/internal/toolexec"
)

func printVersion(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		fmt.Fprintf(stderr, "taskinstr version: unexpected argument %s\n", args[0])
		return exitUsage
	}
	fmt.Fprintf(stdout, "taskinstr %s, built with %s for %s/%s\n", ownVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(stdout, "supports Go %s to %s\n", toolexec.OldestGo, toolexec.NewestGo)
	return exitOK
}

// ownVersion is the module version, with the commit for a build from a
// checkout.
func ownVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown version)"
	}
	v := info.Main.Version
	if v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return v + " " + s.Value[:12]
		}
	}
	return v
}
