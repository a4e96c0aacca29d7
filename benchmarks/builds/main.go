// Command builds compares the processor time of builds with the time of builds for -race: with an empty build cache, and after a changed line of
// package main.
//
//	go run ./benchmarks/builds [-runs 5] [-tool PATH] [-csv FILE]
//
// The programs are examples/bank and two drivers of benchmarks/modules. Figures are processor times of the go command and of
// all processes that it starts. The first build of each kind is measured once. The others are medians; the two kinds take turns.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"taskinstr/benchmarks/datafile"
	"taskinstr/benchmarks/measure"
	"taskinstr/benchmarks/modules"
)

func main() {
	runs := flag.Int("runs", 5, "builds after a changed line")
	tool := flag.String("tool", "", "the taskinstr `command`; built from the tree by default")
	csv := flag.String("csv", "", "also write the table to this `file`, for benchmarks/results")
	flag.Parse()
	if flag.NArg() > 0 || *runs < 1 {
		fmt.Fprintln(os.Stderr, "builds: -runs must be at least 1, and there are no arguments beside flags")
		os.Exit(2)
	}
	measure.Main("builds", func(ctx context.Context) error { return table(ctx, *tool, *runs, *csv) })
}

// table measures all programs, prints the table and writes the file.
func table(ctx context.Context, tool string, runs int, csv string) error {
	if _, err := exec.LookPath("gcc"); err != nil {
		return errors.New("-race needs cgo and a C compiler, and gcc is not on PATH")
	}
	tmp, err := os.MkdirTemp("", "builds")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if tool, err = measure.Tool(ctx, tool, tmp); err != nil {
		return err
	}
	rows := [][]string{{"program", "-race, s", "default, s", "default / -race", "one line: -race, s", "one line: default, s", "one line: default / -race"}}
	for _, p := range programs {
		fmt.Fprintln(os.Stderr, "builds:", p.name)
		dir, err := p.sources(ctx, tmp)
		if err != nil {
			return err
		}
		row, err := measureBuilds(ctx, p.name, dir, tool, runs)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	conditions := fmt.Sprintf("processor time; an empty build cache, one run, then a changed line of main, medians of %d interleaved runs", runs)
	head := datafile.Head(conditions, "go run ./benchmarks/builds", os.Args[1:], "csv", "tool")
	text, err := datafile.Text(head, rows)
	if err != nil {
		return err
	}
	fmt.Print(text)
	if csv == "" {
		return nil
	}
	return datafile.Write(csv, head, rows)
}

// A program has sources, which it writes into a new folder below tmp.
type program struct {
	name    string
	sources func(ctx context.Context, tmp string) (dir string, err error)
}

var programs = []program{
	{"examples/bank", bank},
	{"gRPC client and server", driver("grpc")},
	{"esbuild's API", driver("esbuild")},
}

// bank copies examples/bank into a module of its own.
func bank(ctx context.Context, tmp string) (string, error) {
	dir := filepath.Join(tmp, "bank")
	if err := os.CopyFS(dir, os.DirFS("examples/bank")); err != nil {
		return "", fmt.Errorf("%w; run the command in the module's root", err)
	}
	_, err := run(ctx, dir, "", "go", "mod", "init", "bank")
	return dir, err
}

// driver returns the sources of a recipe of benchmarks/modules.
func driver(name string) func(ctx context.Context, tmp string) (string, error) {
	return func(ctx context.Context, tmp string) (string, error) {
		r, err := modules.Find(name)
		if err != nil {
			return "", err
		}
		host := &modules.Host{Go: "go", Dir: tmp, Exec: func(ctx context.Context, dir string, args ...string) ([]byte, error) {
			return measure.Outside(ctx, dir, args...).CombinedOutput()
		}}
		_, err = host.Prepare(ctx, r)
		return filepath.Join(tmp, name), err
	}
}

// measureBuilds returns the row of the program in a folder.
func measureBuilds(ctx context.Context, name, dir, tool string, runs int) ([]string, error) {
	kinds := [][]string{{"-race"}, {"-toolexec=" + tool, "-tags=race"}}
	build := func(kind int) (float64, error) {
		args := append([]string{"go", "build", "-mod=mod", "-o", filepath.Join(dir, "program.exe")}, kinds[kind]...)
		return run(ctx, dir, filepath.Join(dir, "cache"+fmt.Sprint(kind)), append(args, ".")...)
	}
	cold, warm := make([]float64, len(kinds)), make([][]float64, len(kinds))
	for k := range kinds {
		var err error
		if cold[k], err = build(k); err != nil {
			return nil, err
		}
	}
	for n := range runs {
		text := fmt.Sprintf("package main\n\nvar changed = %d\n", n)
		if err := os.WriteFile(filepath.Join(dir, "changed.go"), []byte(text), 0o666); err != nil {
			return nil, err
		}
		for k := range kinds {
			s, err := build(k)
			if err != nil {
				return nil, err
			}
			warm[k] = append(warm[k], s)
		}
	}
	a, b := measure.Median(warm[0]), measure.Median(warm[1])
	return []string{name, fmt.Sprintf("%.1f", cold[0]), fmt.Sprintf("%.1f", cold[1]), fmt.Sprintf("%.2f", cold[1]/cold[0]),
		fmt.Sprintf("%.3f", a), fmt.Sprintf("%.3f", b), fmt.Sprintf("%.2f", b/a)}, nil
}

// run runs a command in a folder with the given build cache, the user's own if cache is "", and returns its processor time in seconds.
func run(ctx context.Context, dir, cache string, args ...string) (float64, error) {
	cmd := measure.Outside(ctx, dir, args...)
	if cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+cache)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return measure.Processor(cmd), nil
}
