package modes

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"taskinstr/benchmarks/measure"
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

// Times runs a program, given by suite and name. It returns the median of its processor
// time in seconds, for each mode, and the output of the last run.
func (b *Binaries) Times(program, size string, runs int) (medians []float64, outputs []string, err error) {
	times := make([][]float64, len(b.list))
	outputs = make([]string, len(b.list))
	for range runs {
		for i, m := range b.list {
			cmd := exec.Command(b.file(i), "-program", program, "-size", size)
			cmd.Env = append(os.Environ(), "TASKINSTR=stats=1")
			if m.Procs != "" {
				cmd.Env = append(cmd.Env, "GOMAXPROCS="+m.Procs)
			}
			out, err := cmd.CombinedOutput()
			if err != nil {
				return nil, nil, fmt.Errorf("%s, %s: %w\n%s", program, m.Name, err, out)
			}
			times[i] = append(times[i], measure.Processor(cmd))
			outputs[i] = string(out)
		}
	}
	for _, list := range times {
		medians = append(medians, measure.Median(list))
	}
	return medians, outputs, nil
}
