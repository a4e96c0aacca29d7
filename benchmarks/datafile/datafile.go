// Package datafile writes the data files of benchmarks/results.
package datafile

import (
	"encoding/csv"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Head returns the lines that a data file begins with: the Go version, the machine, the month, the
// conditions of the measurement, and the command that made the file. The command has the arguments args without
// the flags whose names are in files, which name files of this machine.
func Head(conditions, command string, args []string, files ...string) string {
	command = strings.Join(append([]string{command}, without(args, files)...), " ")
	return fmt.Sprintf("# go: %s\n# machine: %s/%s, %d processors\n# date: %s\n# conditions: %s\n# command: %s\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), time.Now().Format("2006-01"), conditions, command)
}

// Write writes a data file of a head and rows, the first of which names the columns.
func Write(name, head string, rows [][]string) error {
	text, err := Text(head, rows)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o666)
}

// Text returns the text of a data file.
func Text(head string, rows [][]string) (string, error) {
	var b strings.Builder
	b.WriteString(head)
	err := csv.NewWriter(&b).WriteAll(rows)
	return b.String(), err
}

// without returns arguments without the flags that have one of the names, and without their values.
func without(args, names []string) (list []string) {
	for i := 0; i < len(args); i++ {
		name, _, valued := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if !slices.Contains(names, name) || !strings.HasPrefix(args[i], "-") {
			list = append(list, args[i])
		} else if !valued {
			i++
		}
	}
	return list
}
