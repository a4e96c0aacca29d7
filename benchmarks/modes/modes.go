package modes

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"

	"taskinstr/benchmarks/measure"
	"taskinstr/internal/peak"
)

// programs is the package that is built in all modes.
const programs = "./benchmarks/run"

// A Mode is a way to build and run the programs.
type Mode struct {
	Name  string
	Args  []string // before -o
	Own   bool     // built by taskinstr
	Procs string   // GOMAXPROCS; "": as in the environment
}

// Build returns the command that builds the programs into the file out. tool is the path
// of taskinstr.
func (m Mode) Build(tool, out string) *exec.Cmd {
	name := "go"
	if m.Own {
		name = tool
	}
	cmd := exec.Command(name, append(slices.Clone(m.Args), "-o", out, programs)...)
	cmd.Stderr = os.Stderr
	return cmd
}

// Binaries holds the programs, built in each mode of a list.
type Binaries struct {
	dir  string
	list []Mode
}

// Build builds the programs in each mode. Close removes the files.
func Build(tool string, list []Mode) (*Binaries, error) {
	dir, err := os.MkdirTemp("", "taskinstr-modes")
	if err != nil {
		return nil, err
	}
	b := &Binaries{dir, list}
	for i, m := range list {
		cmd := m.Build(tool, b.file(i))
		if err := cmd.Run(); err != nil {
			b.Close()
			return nil, fmt.Errorf("%s: %w", cmd, err)
		}
	}
	return b, nil
}

func (b *Binaries) file(mode int) string { return filepath.Join(b.dir, fmt.Sprint(mode)) }

// Close removes the files.
func (b *Binaries) Close() error { return os.RemoveAll(b.dir) }

// A Run has the results of one run of a program, except its time.
type Run struct {
	Output string
	Peak   float64 // the largest resident set, in bytes
}

// Times runs a program, given by suite and name. It returns the median of its processor
// time in seconds, for each mode, and the last run.
func (b *Binaries) Times(program, size string, runs int) (medians []float64, last []Run, err error) {
	times := make([][]float64, len(b.list))
	last = make([]Run, len(b.list))
	for range runs {
		for i, m := range b.list {
			cmd := exec.Command(b.file(i), "-program", program, "-size", size)
			cmd.Env = append(os.Environ(), "TASKINSTR=stats=1")
			if m.Procs != "" {
				cmd.Env = append(cmd.Env, "GOMAXPROCS="+m.Procs)
			}
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				return nil, nil, err
			}
			watched := peak.Watch(cmd.Process)
			err := cmd.Wait()
			last[i] = Run{out.String(), watched(cmd.ProcessState)}
			if err != nil {
				return nil, nil, fmt.Errorf("%s, %s: %w\n%s", program, m.Name, err, &out)
			}
			times[i] = append(times[i], measure.Processor(cmd))
		}
	}
	for _, list := range times {
		medians = append(medians, measure.Median(list))
	}
	return medians, last, nil
}

// Counter returns a column of a counter that the program built in the given mode prints at its end, 0 if it prints none.
func Counter(mode int, column, counter string) Other {
	re := regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(counter) + ` +(\d+)$`)
	return Other{Name: column, Figure: func(_ string, runs []Run) string {
		if m := re.FindStringSubmatch(runs[mode].Output); m != nil {
			return m[1]
		}
		return "0"
	}}
}

// Megabytes returns a column of the peaks of memory in the given mode.
func Megabytes(mode int, column string) Other {
	return Other{Name: column, Figure: func(_ string, runs []Run) string { return fmt.Sprintf("%.0f", runs[mode].Peak/1e6) }}
}
