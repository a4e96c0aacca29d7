package measure

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Head returns the head of a data file of benchmarks/results: with which Go, on which machine, when,
// under which conditions and by which command of this folder it is made.
func Head(command, conditions string) string {
	return fmt.Sprintf("# go: %s\n# machine: %s/%s, %d processors\n# date: %s\n# conditions: %s\n# command: go run ./benchmarks/%s %s\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), time.Now().Format("2006-01"),
		conditions, command, strings.Join(withoutFiles(os.Args[1:]), " "))
}

// withoutFiles returns arguments without the flags that name files of this machine.
func withoutFiles(args []string) (list []string) {
	for i := 0; i < len(args); i++ {
		name, _, valued := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if !slices.Contains([]string{"csv", "tool"}, name) {
			list = append(list, args[i])
		} else if !valued {
			i++
		}
	}
	return list
}
