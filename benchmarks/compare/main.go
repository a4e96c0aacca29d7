// Command compare measures the programs of benchmarks/micro built plainly,
// with -race and with taskinstr, as ratios within one run.
//
//	go run ./benchmarks/compare [-runs 5] [-kind sync,compute,std] [-kernels sor,matmul] [-modes plain,race,taskinstr] [-json]
//
// Every measurement is a process of its own; the modes take turns, so that a
// change of the machine's load meets all of them. The table shows the median
// of the plain wall time and, for the other modes, the ratios of the medians
// of wall time, processor time and peak memory, with geometric means. -race is
// left out, with a message, where there is no C compiler.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/benchmarks/micro/kernels"
)

type options struct {
	runs    int
	kernels []kernels.Kernel
	modes   []mode
	workers int
	tool    string
	json    bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	o, err := parse()
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "compare")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	exes, err := build(ctx, o, tmp)
	if err != nil {
		return err
	}
	results, err := measure(ctx, o, exes)
	if err != nil {
		return err
	}
	if o.json {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "\t")
		return enc.Encode(results)
	}
	printTable(os.Stdout, o, results)
	return nil
}

func parse() (options, error) {
	var o options
	flag.IntVar(&o.runs, "runs", 5, "measurements of each kernel and mode")
	kinds := flag.String("kind", "sync,compute", "kinds of kernels: sync, compute, std, scale")
	names := flag.String("kernels", "", "only these kernels, of any kind")
	modes := flag.String("modes", "plain,race,taskinstr", "the modes to compare; plain is the measure")
	flag.IntVar(&o.workers, "workers", 0, "tasks of the parallel kernels; 0: one a processor")
	flag.StringVar(&o.tool, "tool", "", "the taskinstr command; built from the tree by default")
	flag.BoolVar(&o.json, "json", false, "print JSON")
	flag.Parse()
	if o.runs < 1 {
		return o, fmt.Errorf("-runs=%d: at least 1 is needed", o.runs)
	}
	for name := range strings.SplitSeq(*modes, ",") {
		m := mode(name)
		switch {
		case !slices.Contains(allModes, m):
			return o, fmt.Errorf("-modes: no mode %q; there are %v", name, allModes)
		case m == race && !haveCC():
			fmt.Fprintln(os.Stderr, "compare: -race is left out: it needs cgo and a C compiler, and gcc is not on PATH")
		default:
			o.modes = append(o.modes, m)
		}
	}
	if !slices.Contains(o.modes, plain) {
		return o, fmt.Errorf("-modes: plain is missing, and all ratios are to it")
	}
	if *names != "" {
		for name := range strings.SplitSeq(*names, ",") {
			k, ok := kernels.Find(name)
			if !ok {
				return o, fmt.Errorf("-kernels: no kernel %q; go run ./benchmarks/micro -list lists them", name)
			}
			o.kernels = append(o.kernels, k)
		}
		return o, nil
	}
	chosen := strings.Split(*kinds, ",")
	for _, k := range kernels.All {
		if slices.Contains(chosen, string(k.Kind)) {
			o.kernels = append(o.kernels, k)
		}
	}
	if len(o.kernels) == 0 {
		return o, fmt.Errorf("-kind=%s: no kernel is of this kind; there are sync, compute, std and scale", *kinds)
	}
	return o, nil
}

func haveCC() bool {
	_, err := exec.LookPath("gcc")
	return err == nil
}

// build returns the program of each mode.
func build(ctx context.Context, o options, tmp string) (map[mode]string, error) {
	exes := map[mode]string{}
	for _, m := range o.modes {
		exe := filepath.Join(tmp, "micro-"+string(m)+".exe")
		args := []string{"build", "-o", exe}
		switch m {
		case race:
			args = append(args, "-race")
		case taskinstr:
			tool := o.tool
			if tool == "" {
				tool = filepath.Join(tmp, "taskinstr.exe")
				if err := goTool(ctx, "build", "-o", tool, "taskinstr/cmd/taskinstr"); err != nil {
					return nil, err
				}
			}
			abs, err := filepath.Abs(tool)
			if err != nil {
				return nil, err
			}
			args = append(args, "-toolexec="+abs)
		}
		if err := goTool(ctx, append(args, "taskinstr/benchmarks/micro")...); err != nil {
			return nil, err
		}
		exes[m] = exe
	}
	return exes, nil
}

func goTool(ctx context.Context, args ...string) error {
	if out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}
