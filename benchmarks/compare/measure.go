package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"taskinstr/benchmarks/micro/kernels"
	"taskinstr/internal/peak"
)

type mode string

const (
	plain     mode = "plain"
	race      mode = "race"
	taskinstr mode = "taskinstr"
)

var allModes = []mode{plain, race, taskinstr}

// sample is one process; in a result, the medians of all.
type sample struct {
	Wall   float64 `json:"wall_s"`
	CPU    float64 `json:"cpu_s"`
	Memory float64 `json:"peak_bytes"` // 0 where the system does not tell
}

type result struct {
	Kernel  string          `json:"kernel"`
	Kind    kernels.Kind    `json:"kind"`
	Runs    int             `json:"runs"`
	Medians map[mode]sample `json:"medians"`
}

// measure runs every kernel in all modes, the modes in turn.
func measure(ctx context.Context, o options, exes map[mode]string) ([]result, error) {
	var results []result
	for _, k := range o.kernels {
		fmt.Fprintf(os.Stderr, "compare: %s\n", k.Name)
		samples := map[mode][]sample{}
		for range o.runs {
			for _, m := range o.modes {
				s, err := one(ctx, exes[m], k, o.workers)
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", k.Name, m, err)
				}
				samples[m] = append(samples[m], s)
			}
		}
		r := result{Kernel: k.Name, Kind: k.Kind, Runs: o.runs, Medians: map[mode]sample{}}
		for m, ss := range samples {
			r.Medians[m] = sample{
				Wall:   median(ss, func(s sample) float64 { return s.Wall }),
				CPU:    median(ss, func(s sample) float64 { return s.CPU }),
				Memory: median(ss, func(s sample) float64 { return s.Memory }),
			}
		}
		results = append(results, r)
	}
	return results, nil
}

// one runs a process. A report of a race fails it: the kernels have none.
func one(ctx context.Context, exe string, k kernels.Kernel, workers int) (sample, error) {
	args := []string{"-kernel", k.Name}
	if workers > 0 {
		args = append(args, "-workers", strconv.Itoa(workers))
	}
	cmd := exec.CommandContext(ctx, exe, args...)
	// The pause of -race before the end is no cost of the checks.
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return sample{}, err
	}
	watched := peak.Watch(cmd.Process)
	err := cmd.Wait()
	wall := time.Since(start)
	memory := watched(cmd.ProcessState)
	if err != nil {
		return sample{}, fmt.Errorf("%w\n%s", err, out.Bytes())
	}
	if strings.Contains(out.String(), "DATA RACE") {
		return sample{}, fmt.Errorf("unexpected report:\n%s", out.Bytes())
	}
	return sample{
		Wall:   wall.Seconds(),
		CPU:    (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
		Memory: memory,
	}, nil
}

func median(ss []sample, of func(sample) float64) float64 {
	var vs []float64
	for _, s := range ss {
		vs = append(vs, of(s))
	}
	slices.Sort(vs)
	if h := len(vs) / 2; len(vs)%2 == 0 {
		return (vs[h-1] + vs[h]) / 2
	} else {
		return vs[h]
	}
}
