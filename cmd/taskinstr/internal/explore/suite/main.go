package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/explore/local"
	"taskinstr/cmd/taskinstr/internal/planner"
)

// keepArtifacts is the time for which artifacts below the build cache are kept.
const keepArtifacts = 7 * 24 * time.Hour

// Main runs `taskinstr test -explore` and returns its exit code.
func Main(base option.Set, args []string, stdout, stderr io.Writer) int {
	say := func(format string, args ...any) { fmt.Fprintf(stderr, "taskinstr test: "+format+"\n", args...) }
	o, err := parse(base, args)
	if err != nil {
		say("%v", err)
		return exitcode.Usage
	}
	if runtime.GOOS == "windows" {
		say("schedules cannot be recorded on Windows, so -%s works on other systems only", exploreFlag)
		return exitcode.Failed
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code, err := run(ctx, o, stdout, stderr, say)
	var wrong *local.OptionError
	switch {
	case errors.As(err, &wrong):
		say("%v", err)
		if code == exitcode.OK {
			code = exitcode.Usage
		}
		return code
	case err != nil && ctx.Err() != nil:
		return exitcode.Interrupted
	case err != nil:
		say("%v", err)
		return max(code, exitcode.Failed)
	}
	return code
}

// run builds, explores and prints.
func run(ctx context.Context, o *options, stdout, stderr io.Writer, say func(string, ...any)) (int, error) {
	scratch, err := os.MkdirTemp("", "taskinstr-explore-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(scratch)
	if strings.ContainsAny(scratch, " \t") {
		return 0, fmt.Errorf("the folder for temporary files, %s, has a space in its name, which TASKINSTR cannot express: set TMPDIR", scratch)
	}
	dir, own, err := artifacts(o)
	if err != nil {
		return 0, err
	}
	list, err := targets(o)
	if err != nil {
		return 0, err
	}
	progress := terminal.NewProgress(stderr)
	s := &session{options: o, dir: dir}
	s.note = func(line string) {
		progress.Clear()
		say("%s", line)
	}
	if err := s.build(ctx, list, progress, stderr); err != nil {
		return 0, err
	}
	for _, t := range list {
		if t.digest != "" {
			if err := checkStrategies(ctx, o, t); err != nil {
				return 0, err
			}
			break
		}
	}
	if err := s.prepare(ctx, list, scratch); err != nil {
		return 0, err
	}
	if len(s.units) == 0 {
		if s.failed {
			return exitcode.Failed, nil
		}
		say("no tests to explore in %s", strings.Join(o.packages, " "))
		return exitcode.OK, nil
	}
	here, _ := filepath.Abs(o.chdir)
	out := &output{out: stdout, err: stderr, json: o.json, dir: here, progress: progress}
	s.event = func(kind string, u *unit, x *found) { out.event(s, kind, u, x) }
	if o.json {
		out.write(event{Event: "start", Tests: len(s.units), Artifacts: dir})
	}
	if o.farm.given {
		if err := s.connectFarm(ctx, list, scratch); err != nil {
			return 0, err
		}
	}
	return s.exploreAndPrint(ctx, out, own)
}

// build builds the tests of all targets. A target that does not build makes the session fail in the end. It
// returns an error only if ctx is cancelled.
func (s *session) build(ctx context.Context, list []*target, progress *terminal.Progress, stderr io.Writer) error {
	for i, t := range list {
		progress.Show("building the tests of %s (%d of %d)", t.path, i+1, len(list))
		err := t.build(ctx, s.options, filepath.Join(s.dir, "bin"), stderr)
		progress.Clear()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.note(err.Error())
			s.failed = true
		}
	}
	return nil
}

// exploreAndPrint runs all batches, prints the result, and returns the exit code. own means
// a new folder of artifacts, which goes if there is nothing to keep.
func (s *session) exploreAndPrint(ctx context.Context, out *output, own bool) (int, error) {
	if err := s.explore(ctx); err != nil {
		out.progress.Clear()
		if s.farm != nil || s.runs() > 0 || len(s.founds) > 0 { // what was found is not lost
			out.result(s, true)
		}
		s.leave(true)
		if s.fails() {
			return exitcode.Failed, err
		}
		return exitcode.OK, err
	}
	interrupted := ctx.Err() != nil
	out.result(s, interrupted)
	s.leave(interrupted)
	hung := slices.ContainsFunc(s.units, func(u *unit) bool { return u.stacks != "" })
	resumable := interrupted && s.farm != nil
	if own && len(s.founds) == 0 && !hung && !resumable {
		os.RemoveAll(s.dir)
	}
	switch {
	case s.failed || s.fails():
		return exitcode.Failed, nil
	case interrupted:
		return exitcode.Interrupted, nil
	}
	return exitcode.OK, nil
}

// fails reports whether a finding makes the command fail. As in ordinary runs, a prediction
// alone does not.
func (s *session) fails() bool {
	return slices.ContainsFunc(s.founds, func(x *found) bool { return x.Kind != batch.Predicted || x.ordinary == batch.Race })
}

// artifacts makes the folder of artifacts. own says that it is a new one below the build cache.
func artifacts(o *options) (dir string, own bool, err error) {
	dir = o.dir
	if dir == "" {
		goPath, err := gocmd.Find()
		if err != nil {
			return "", false, err
		}
		env, err := gocmd.Env(goPath, o.chdir, "GOCACHE")
		if err != nil {
			return "", false, err
		}
		if dir, err = planner.Open(env["GOCACHE"]).Fresh("explore", keepArtifacts); err != nil {
			return "", false, err
		}
		own = true
	}
	return dir, own, os.MkdirAll(filepath.Join(dir, "bin"), 0o777)
}

// checkStrategies returns an error if a test binary does not know a strategy.
func checkStrategies(ctx context.Context, o *options, t *target) error {
	for _, name := range o.strategies {
		cmd := exec.CommandContext(ctx, t.exe)
		cmd.Dir = t.dir
		cmd.Env = append(os.Environ(), "TASKINSTR=help=1 schedule="+local.Strategy(name, 1))
		out, err := cmd.CombinedOutput()
		if err == nil {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		_, known, _ := strings.Cut(string(out), "\n")
		return &local.OptionError{Text: fmt.Sprintf("flag -strategy=%s: there is no such strategy; the program knows\n%s", name, strings.TrimRight(known, "\n"))}
	}
	return nil
}
