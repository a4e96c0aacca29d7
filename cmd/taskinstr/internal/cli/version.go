package cli

import (
	"fmt"
	"io"
	"runtime"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/taskinstr/internal/toolexec"
)

func printVersion(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		fmt.Fprintf(stderr, "taskinstr version: unexpected argument %s\n", args[0])
		return exitcode.Usage
	}
	fmt.Fprintf(stdout, "taskinstr %s, built with %s for %s/%s\n", toolexec.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(stdout, "supports Go %s to %s\n", toolexec.OldestGo, toolexec.NewestGo)
	return exitcode.OK
}
