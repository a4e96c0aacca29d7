package bench

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/internal/nearest"
)

// options holds the settings of the command line.
type options struct {
	base      []string // taskinstr's own options, for the checked modes
	pkgs      []string // the patterns of -pkgs among them
	build     []string // go's build flags
	untagged  bool     // the checked modes are built without the tag race
	patterns  []string
	dir       string
	bench     string
	fixed     int           // iterations, 0: as many as fit in time
	time      time.Duration // of one run of plain
	count     int
	cpus      int
	modes     []mode
	asked     bool // -modes was given
	checks    bool // count the checks that are executed
	timeout   time.Duration
	format    string
	from      string
	detectors string // compare these instead of modes
	scope     string // of the modes that name none
	std       bool   // toggle passes and count checks in the standard library, too
	builds    bool   // measure the times of builds
	resume    bool   // go on with the runs that are kept
	plan      string // folder for plans; the other flags choose what to plan
}

var formats = []string{"table", "benchstat", "json", "csv", "svg", "png", "html"}

// defaultTime is the duration of one run of plain. It is short because there are many
// modes, and some take twenty times as long.
const defaultTime = 300 * time.Millisecond

// defaultCount is the least number of runs whose median has an interval.
const defaultCount = 6

// planFlag is the flag of the process that plans and counts (static.go).
const planFlag = "plan"

// buildFlag is the usage text of the go command's flags.
const buildFlag = "go's build flag"

// flags declares the flags.
func flags(o *options) *flag.FlagSet {
	fs := flag.NewFlagSet("taskinstr bench", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // Main prints errors and usage
	fs.StringVar(&o.bench, "bench", ".", "run the benchmarks that match `regexp`, as with go test")
	fs.Func("benchtime", "let one plain run take `time`, or Nx for N iterations (default "+defaultTime.String()+")", func(v string) (err error) {
		if n, ok := strings.CutSuffix(v, "x"); ok {
			o.fixed, err = strconv.Atoi(n)
			if err == nil && o.fixed < 1 {
				err = errors.New("at least one iteration is needed")
			}
			return err
		}
		o.time, err = time.ParseDuration(v)
		if err == nil && o.time <= 0 {
			err = errors.New("it must be more than 0")
		}
		return err
	})
	fs.IntVar(&o.count, "count", defaultCount, "run each benchmark `n` times in each mode; with six or more, each figure has an interval")
	fs.IntVar(&o.cpus, "cpu", runtime.GOMAXPROCS(0), "run with GOMAXPROCS `n`")
	fs.Func("modes", "measure these `modes`, separated by commas (default "+defaultModes+"); see above", func(v string) (err error) {
		o.modes, err = parseModes(v, o.scope)
		o.asked = true
		return err
	})
	fs.BoolVar(&o.checks, "checks", true, "count the checks that your packages execute in each mode, with binaries built for that")
	fs.BoolVar(&o.std, "std", false, "switch passes and count checks in the standard library, too, which is compiled for each\n\t\tset of passes; by default it keeps all passes and is compiled once")
	fs.BoolVar(&o.builds, "builds", false, "measure the times of builds, too, in a build cache that holds the standard library alone")
	fs.BoolVar(&o.resume, "resume", false, "keep the runs of the same command, which may have been interrupted, and make those that\n\t\tare missing for -count")
	fs.DurationVar(&o.timeout, "timeout", 10*time.Minute, "end a run that takes longer than `time`")
	fs.Func("format", "print as `form`: "+strings.Join(formats, ", ")+" (default table)", func(v string) error {
		if !slices.Contains(formats, v) {
			return fmt.Errorf("there are %s", strings.Join(formats, ", "))
		}
		o.format = v
		return nil
	})
	fs.StringVar(&o.detectors, "detectors", "", "compare these detectors (`names` as in taskinstr detect) instead of modes: each\n\t\tbenchmark is executed once (-benchtime=Nx: N times) and recorded, and all are told the\n\t\tsame execution; -format is table or json")
	fs.StringVar(&o.from, "from", "", "run nothing: print the results that -format=json has written to `file`")
	fs.StringVar(&o.plan, planFlag, "", "for this program's own use")
	fs.StringVar(&o.dir, "C", "", "change to `dir` first")
	for _, name := range []string{"tags", "mod", "modfile", "overlay", "installsuffix", "ldflags", "gcflags", "asmflags", "pgo", "p", "buildvcs"} {
		fs.Func(name, buildFlag, func(v string) error {
			o.build = append(o.build, "-"+name+"="+v)
			return nil
		})
	}
	for _, name := range []string{"trimpath", "modcacherw"} {
		fs.BoolFunc(name, buildFlag, func(v string) error {
			o.build = append(o.build, "-"+name+"="+v)
			return nil
		})
	}
	return fs
}

// parse reads the command line; flags and packages may be mixed.
func parse(base option.Set, args []string) (*options, error) {
	if base.Pkgs != nil {
		base.Wrapper = option.Judged // see judge
	}
	o := &options{base: base.Args(), pkgs: base.Pkgs, untagged: base.Tag == option.TagOff, time: defaultTime, format: "table", scope: base.Scope}
	fs := flags(o)
	for rest := args; ; {
		if err := fs.Parse(rest); err != nil {
			return nil, nearest.FlagError(fs, err)
		}
		if fs.NArg() == 0 {
			break
		}
		o.patterns, rest = append(o.patterns, fs.Arg(0)), fs.Args()[1:]
	}
	if len(o.patterns) == 0 {
		o.patterns = []string{"."}
	}
	if o.modes == nil {
		o.modes, _ = parseModes(defaultModes, o.scope)
	}
	for elem := range strings.SplitSeq(o.bench, "/") {
		if _, err := regexp.Compile(elem); err != nil {
			return nil, fmt.Errorf("-bench=%s: %w", o.bench, err)
		}
	}
	if o.detectors != "" {
		if err := o.checkDetectors(); err != nil {
			return nil, err
		}
	}
	switch {
	case o.count < 1:
		return nil, fmt.Errorf("-count=%d: at least one run is needed", o.count)
	case o.cpus < 1:
		return nil, fmt.Errorf("-cpu=%d: at least one processor is needed", o.cpus)
	case base.Stats != "":
		return nil, errors.New("option -stats has no place here; -checks counts")
	case base.Passes != option.Default().Passes:
		return nil, errors.New("option -passes has no place here; -modes chooses them")
	}
	return o, nil
}

// Help is the text of "taskinstr help bench".
func Help() string {
	var b strings.Builder
	b.WriteString(`Bench

	taskinstr bench [flags] [packages]

Runs the benchmarks of the packages in several modes, and shows the slowdown in each,
in time, processor time and peak memory. The modes are:

	plain           without checks; all others are compared with it
	race            go's own -race, if there is a C compiler
	none            taskinstr without passes
	package         taskinstr as it is by default: all passes, package by package
	program         all passes over the whole program (-scope=program)
	all             all passes in the scope of the option -scope
	PASS, no-PASS   one pass alone, all passes but one (taskinstr help passes)
	alone, without  PASS and no-PASS for every pass
	passes          none, all and without: which pass helps, which costs

For example:

	taskinstr bench -bench=Encode ./...
	taskinstr bench -modes=passes .
	taskinstr bench -modes=race,none,all -format=json . >result.json
	taskinstr bench -from=result.json -format=html >result.html
	taskinstr bench -resume -count=12 .

The modes take turns. A line appears for each benchmark after its first round; an
interrupt prints the table of the runs so far, and -resume continues. Figures are
medians, with the interval that holds the true median with a confidence of 95 %; means
of ratios are geometric. If the plain runs differ so much that small differences are
meaningless, the output contains a warning. The passes are switched in all packages but
those of the standard library; -std switches them there, too.

Formats: table, benchstat (for golang.org/x/perf/cmd/benchstat, with the mode in
the name: benchstat -col /mode), json, csv, svg and png (a bar chart), html (chart and
tables in one page).

The flags are:

`)
	var build []string
	flags(new(options)).VisitAll(func(f *flag.Flag) {
		value, text := flag.UnquoteUsage(f)
		switch {
		case f.Name == planFlag:
			return
		case text == buildFlag:
			build = append(build, "-"+f.Name)
			return
		case f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false":
			text += " (default " + f.DefValue + ")"
		}
		b.WriteString(terminal.Flag(strings.TrimSpace("-"+f.Name+" "+value), text))
	})
	b.WriteString("\t" + strings.Join(build, ", ") + "\n\t\tgo's build flags, for all modes\n")
	b.WriteString(`
Exit codes:

	0	all benchmarks ran in all modes
	1	one failed, or could not be built
	2	the command line was wrong
	130	an interrupt ended the measurement
`)
	return b.String()
}
