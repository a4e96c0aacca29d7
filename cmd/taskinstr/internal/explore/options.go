package explore

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/detector/offline/suite"
	"taskinstr/detector/offline/zipper"
)

// options are the settings of the command line.
type options struct {
	detectors []suite.Choice
	standard  bool // the command line does not choose the detectors
	maxRuns   int  // 0: no limit
	timeout   time.Duration
	all       bool
	every     bool
	json      bool
	record    string
	exe       string // a program that is built; "": the command builds it
	dir       string
	build     []string // flags and package, for taskinstr build
	args      []string // the program's
}

const (
	defaultRuns    = 10_000
	defaultTimeout = time.Minute
)

var ownFlags = gocmd.Owns[options]{
	{Name: "detector", Value: "NAME[,NAME...]", Text: "the detectors that look at each execution (default zipper, and graph where there\nis more than zipper understands; `taskinstr detect -detector=list` lists them)", Set: func(o *options, v string) (err error) {
		o.detectors, err = suite.Parse(v)
		o.standard = false
		return err
	}},
	{Name: "max-runs", Value: "N", Text: fmt.Sprintf("give up after N runs (default %d; 0: never)", defaultRuns), Set: func(o *options, v string) (err error) {
		if o.maxRuns, err = strconv.Atoi(v); err != nil || o.maxRuns < 0 {
			return fmt.Errorf("%q is no number of runs", v)
		}
		return nil
	}},
	{Name: "timeout", Value: "TIME", Text: "end a run that takes longer (default " + defaultTimeout.String() + ")", Set: func(o *options, v string) (err error) {
		if o.timeout, err = time.ParseDuration(v); err == nil && o.timeout <= 0 {
			err = errors.New("it must be more than 0")
		}
		return err
	}},
	{Name: "all", Text: "go on behind the first race, and report each one once", Set: gocmd.Bool(func(o *options) *bool { return &o.all })},
	{Name: "every-order", Text: "also run orders that differ only in sections which access nothing in common", Set: gocmd.Bool(func(o *options) *bool { return &o.every })},
	{Name: "record", Value: "FILE", Text: "write the order of the run that has the race to FILE (with -all FILE.2 and so on\nfor further races); TASKINSTR=schedule=replay:FILE runs it again", Set: gocmd.Text(func(o *options) *string { return &o.record })},
	{Name: "exe", Value: "FILE", Text: "explore FILE, which was built with taskinstr (a test: `taskinstr test -c`),\nand build nothing; it is the last flag, what follows is the program's", Set: gocmd.Text(func(o *options) *string { return &o.exe })},
	{Name: "json", Text: "print races, their orders and the result as JSON, one object on a line; what the\nprogram prints goes to standard error", Set: gocmd.Bool(func(o *options) *bool { return &o.json })},
}

// errHelp says that the help text was asked for.
var errHelp = errors.New("help")

// parse reads the command line.
func parse(base option.Set, args []string) (*options, error) {
	o := &options{standard: true, maxRuns: defaultRuns, timeout: defaultTimeout}
	o.detectors, _ = suite.Parse(zipper.Spec.Name)
	if base.Detector != "" {
		return nil, fmt.Errorf("-detector=%s in front of explore chooses the detector of a build; behind it, those of the exploration", base.Detector)
	}
	flags, rest := gocmd.Line("run", args, func(name string) (known, value bool) {
		if name == "h" || name == "help" {
			return true, false
		}
		if f := ownFlags.Find(name); f != nil {
			return true, f.Value != ""
		}
		return option.Known(name)
	})
	used := 0 // the number of arguments read
	for i, f := range flags {
		if o.exe != "" {
			break
		}
		used += len(f.Args)
		own := ownFlags.Find(f.Name)
		switch {
		case f.Name == "h" || f.Name == "help":
			return nil, errHelp
		case own != nil:
			if err := own.Apply(o, f); err != nil {
				return nil, err
			}
		case f.Name == "o" || f.Name == "exec" || f.Name == "n":
			return nil, fmt.Errorf("flag -%s has no place here", f.Name)
		case f.Name == "C" && i == 0:
			o.dir = f.Value
		case !gocmd.Known(f.Name) && hint(f.Name) != "":
			return nil, fmt.Errorf("unknown flag %s%s; see `taskinstr help explore`", f.Args[0], hint(f.Name))
		default:
			o.build = append(o.build, f.Args...)
		}
	}
	if o.exe != "" {
		if o.build != nil || o.dir != "" {
			return nil, errors.New("with -exe nothing is built: leave out the flags of go build")
		}
		o.args = args[used:]
		return o, nil
	}
	if err := o.takeProgram(rest); err != nil {
		return nil, err
	}
	return o, nil
}

// takeProgram reads the arguments behind the flags: the program, and its arguments.
func (o *options) takeProgram(rest []string) error {
	if len(rest) > 0 && strings.HasPrefix(rest[0], "-") && rest[0] != "--" {
		return fmt.Errorf("unknown flag %s%s; see `taskinstr help explore`", rest[0], hint(rest[0]))
	}
	n := 0
	for n < len(rest) && strings.HasSuffix(rest[n], ".go") {
		n++
	}
	if n == 0 && len(rest) > 0 {
		n = 1
	}
	if n == 0 {
		return errors.New("which program? taskinstr explore [flags] PACKAGE [arguments]")
	}
	o.build, o.args = append(o.build, rest[:n]...), rest[n:]
	return nil
}

func hint(written string) string { return option.Hint(written, ownFlags.Names()...) }
