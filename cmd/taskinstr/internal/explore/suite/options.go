package suite

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
)

// options are the settings of the command line.
type options struct {
	count      int           // schedules of each test; 0: as many as fit into budget
	budget     time.Duration // 0: no limit
	strategies []string
	seed       uint64
	whole      bool
	confirm    bool
	leaks      bool
	access     string // sites, accessAuto or accessOff
	dir        string // of artifacts; "": one below the build cache
	timeout    time.Duration
	json       bool
	run, skip  string
	chdir      string   // -C
	build      []string // flags of taskinstr and go, for the build
	args       []string // of the test binary
	baseline   string
	packages   []string
	workers    int // processes of this command
	farm       workers
}

// The flags of the exploration.
const (
	exploreFlag = "explore"
	confirmFlag = "confirm"

	defaultStrategy = "surw,pos,random"
)

var ownFlags = gocmd.Owns[options]{
	{Name: exploreFlag, Value: "N|DURATION", Text: "run each test under N schedules, or all tests together for a time such as 30s", Set: func(o *options, v string) error {
		if n, err := strconv.Atoi(v); err == nil && n > 0 {
			o.count, o.budget = n, 0
			return nil
		}
		if d, err := time.ParseDuration(v); err == nil && d > 0 {
			o.count, o.budget = 0, d
			return nil
		}
		return fmt.Errorf("%q is neither a number of schedules (200) nor a duration (30s)", v)
	}},
	{Name: "strategy", Value: "NAME[,NAME...]", Text: "how the next goroutine is chosen (default " + defaultStrategy + "; docs/design/schedule.md lists them);\nseveral take turns", Set: func(o *options, v string) error {
		o.strategies = strings.Split(v, ",")
		for _, s := range o.strategies {
			switch name, _, _ := strings.Cut(s, ":"); name {
			case "", "off", "replay":
				return fmt.Errorf("%q chooses no schedules", s)
			}
			if strings.ContainsAny(s, " \t") {
				return fmt.Errorf("%q has a space in it", s)
			}
		}
		return nil
	}},
	{Name: "seed", Value: "N", Text: "the seed of the first schedule of each test (default 1); the same seeds give the same\nschedules", Set: func(o *options, v string) (err error) {
		o.seed, err = strconv.ParseUint(v, 10, 31)
		if err != nil {
			return fmt.Errorf("%q is no number below %d", v, uint64(1)<<31)
		}
		return nil
	}},
	{Name: "explore-whole", Text: "run all tests of a package in each schedule, and not each test by itself: for tests that\nneed what others or TestMain leave behind", Set: gocmd.Bool(func(o *options) *bool { return &o.whole })},
	{Name: "explore-dir", Value: "DIR", Text: "the folder for schedules, texts of findings and test binaries (default: a new one below\nthe build cache, kept for a week)", Set: func(o *options, v string) (err error) {
		o.dir, err = filepath.Abs(v)
		return err
	}},
	{Name: confirmFlag, Text: "look for a schedule in which a predicted race happens (default on; -confirm=false)", Set: func(o *options, v string) (err error) {
		if o.confirm, err = strconv.ParseBool(v); err != nil {
			return fmt.Errorf("%q is neither true nor false: an exploration drives the pairs that it predicts itself, and an ordinary run those of a file", v)
		}
		return nil
	}},
	{Name: "explore-leaks", Text: "a goroutine that a test starts and that is still there a second after the tests is a\nfinding", Set: gocmd.Bool(func(o *options) *bool { return &o.leaks })},
	{Name: "explore-access", Value: "SITE[,SITE...]", Text: "let another goroutine run first before the accesses at these sites, too: FILE:LINE, or a part of\na function's name (docs/design/schedule.md); auto (default): at the accesses of races, and of predicted\nones, that the run without a schedule shows; off", Set: func(o *options, v string) error {
		switch {
		case v == "" || slices.Contains(strings.Split(v, ","), ""):
			return fmt.Errorf("%q has no site: FILE:LINE, or a part of a function's name", v)
		case strings.ContainsAny(v, " \t"):
			return fmt.Errorf("%q has a space in it, which TASKINSTR cannot express; * stands for any text in the name of a function", v)
		}
		o.access = v
		return nil
	}},
	{Name: "workers", Value: "N|SERVER", Text: "run the schedules on N worker processes of this machine, or on the workers of a NATS\nserver such as nats://build1:4222 (docs/use/farm.md); by default in processes of this command", Set: func(o *options, v string) error {
		o.farm.given = true
		return o.farm.SetWorkers(v)
	}},
	{Name: "resume", Text: "go on with the exploration of a command with -workers that was interrupted or killed;\n-explore-dir names its folder", Set: gocmd.Bool(func(o *options) *bool { return &o.farm.Resume })},
	{Name: "workers-creds", Value: "FILE", Text: "log in to the server with a NATS credentials file", Set: gocmd.Text(func(o *options) *string { return &o.farm.Creds })},
	{Name: "workers-nkey", Value: "FILE", Text: "log in with the seed of an NKey user", Set: gocmd.Text(func(o *options) *string { return &o.farm.NKey })},
	{Name: "workers-ca", Value: "FILE", Text: "the authorities that sign the server's certificate, as PEM", Set: gocmd.Text(func(o *options) *string { return &o.farm.CA })},
	{Name: "workers-cert", Value: "FILE", Text: "the client's certificate, as PEM, if the server asks for one", Set: gocmd.Text(func(o *options) *string { return &o.farm.Cert })},
	{Name: "workers-cert-key", Value: "FILE", Text: "the private key of the client's certificate", Set: gocmd.Text(func(o *options) *string { return &o.farm.Key })},
	{Name: "workers-sign", Value: "FILE", Text: "the NKey seed that signs batches; workers trust its public key (default: one that is\nmade in the user's configuration folder)", Set: gocmd.Text(func(o *options) *string { return &o.farm.Sign })},
	{Name: "workers-wait", Value: "DURATION", Text: "how long to wait for a server that has gone away (default 5m)", Set: func(o *options, v string) (err error) {
		o.farm.Wait, err = time.ParseDuration(v)
		return err
	}},
}

// own says which flags are not go's, and whether they take a value.
func own(name string) (known, value bool) {
	if f := ownFlags.Find(name); f != nil {
		return true, f.Value != ""
	}
	if name == "baseline" || name == "baseline-update" {
		return true, name == "baseline"
	}
	return option.Known(name)
}

// Asked reports whether the arguments of `taskinstr test` ask for an exploration. Ordinary runs have the flag
// -confirm, too.
func Asked(args []string) bool {
	flags, _ := gocmd.Line("test", args, own)
	return slices.ContainsFunc(flags, func(f gocmd.Flag) bool { return f.Name != confirmFlag && ownFlags.Find(f.Name) != nil })
}

// refused are go's flags that have no meaning for an exploration, with the reason.
var refused = map[string]string{
	"bench": "benchmarks are not explored", "fuzz": "fuzzing is not explored; its seeds are run as tests",
	"c": "the tests are run", "o": "the folder of the binaries is -explore-dir", "n": "the tests are run",
	"list": "the tests are run", "exec": "the tests are run in processes of this machine",
	"cpu": "a schedule runs one goroutine at a time", "race": "taskinstr has its own checks",
	"cover": "coverage is not written", "coverprofile": "coverage is not written", "coverpkg": "coverage is not written",
	"baseline-update": "update the baseline with a run without -explore",
}

// passed are flags that go to the test binary.
var passed = []string{"short", "parallel", "shuffle", "failfast", "fullpath", "v"}

// parse reads the command line.
func parse(base option.Set, args []string) (*options, error) {
	o := &options{strategies: strings.Split(defaultStrategy, ","), seed: 1, confirm: true, access: accessAuto, workers: runtime.GOMAXPROCS(0), build: base.Args()}
	if base.Detector != "" {
		return nil, fmt.Errorf("-detector=%s: schedules need the detector %s, which is the default", base.Detector, option.DetectorParallel)
	}
	flags, rest := gocmd.Line("test", args, own)
	for i, f := range flags {
		if err := o.take(f, i == 0); err != nil {
			return nil, err
		}
	}
	if o.count == 0 && o.budget == 0 {
		return nil, fmt.Errorf("-%s=N|DURATION is missing: how many schedules, or for how long?", exploreFlag)
	}
	if err := o.takeRest(rest); err != nil {
		return nil, err
	}
	if o.packages == nil {
		o.packages = []string{"."}
	}
	if err := o.checkWorkers(); err != nil {
		return nil, err
	}
	return o, nil
}

// take applies flag f. first means the first flag of the command line: the go command takes -C nowhere else.
func (o *options) take(f gocmd.Flag, first bool) error {
	name := strings.TrimPrefix(f.Name, "test.")
	mine := ownFlags.Find(f.Name)
	switch {
	case mine != nil:
		if err := mine.Apply(o, f); err != nil {
			return err
		}
	case refused[name] != "" && f.On():
		return fmt.Errorf("flag %s has no place beside -%s: %s", f.Args[0], exploreFlag, refused[name])
	case name == "count":
		return fmt.Errorf("flag %s has no place beside -%s=N, which says how often a test runs", f.Args[0], exploreFlag)
	case name == "run":
		o.run = f.Value
	case name == "skip":
		o.skip = f.Value
	case name == "timeout":
		d, err := time.ParseDuration(f.Value)
		if err != nil || d < 0 {
			return fmt.Errorf("flag %s: %q is no duration", f.Args[0], f.Value)
		}
		o.timeout = d
	case name == "json":
		o.json = f.On()
	case f.Name == "baseline":
		name, err := filepath.Abs(f.Value)
		if err != nil || f.Value == "" {
			return fmt.Errorf("flag -baseline needs the name of a file")
		}
		o.baseline = name
	case f.Name == "C" && first:
		o.chdir = f.Value
	case slices.Contains(passed, name):
		arg := "-test." + name
		if f.Value != "" {
			arg += "=" + f.Value
		}
		o.args = append(o.args, arg)
	default:
		if err := checkBuild(f); err != nil {
			return err
		}
		o.build = append(o.build, f.Args...)
	}
	return nil
}

// takeRest reads the arguments behind the flags: packages, and the arguments of the test binary.
func (o *options) takeRest(rest []string) error {
	for i, a := range rest {
		if a == "-args" || a == "--args" {
			o.args = append(o.args, rest[i+1:]...)
			return nil
		}
		if strings.HasPrefix(a, "-") {
			// A flag of the test binary, and what follows.
			if hint := hint(a); i == 0 && hint != "" {
				return fmt.Errorf("unknown flag %s%s; see `taskinstr help test`", a, hint)
			}
			o.args = append(o.args, rest[i:]...)
			return nil
		}
		o.packages = append(o.packages, a)
	}
	return nil
}

// checkBuild returns an error for a flag that is neither go's nor taskinstr's, but nearly.
func checkBuild(f gocmd.Flag) error {
	if known, _ := option.Known(f.Name); known || gocmd.Known(f.Name) {
		return nil
	}
	return fmt.Errorf("unknown flag %s%s; see `taskinstr help test`", f.Args[0], hint(f.Name))
}

func hint(written string) string { return option.Hint(written, ownFlags.Names()...) }

// Help explains the flags of the exploration.
func Help() string {
	var b strings.Builder
	b.WriteString(`Schedules

With -explore each test runs under many schedules, in parallel processes. A finding is a
race, a deadlock, a panic, a failed test or a test without an end. It is reported once, with
the number of schedules that showed it and a file from which "taskinstr replay" runs the
shortest of them again (docs/use/explore.md).

	taskinstr test -explore=200 ./...
	taskinstr test -explore=200 -workers=4 ./...                    # in four worker processes
	taskinstr test -explore=10m -workers=nats://build1:4222 ./...   # on many machines
	taskinstr test -explore=10m -workers=nats://build1:4222 -resume -explore-dir=DIR ./...

`)
	b.WriteString(ownFlags.Help())
	b.WriteString(`	-timeout=DURATION
		the time that a schedule of a test may take (default: 20 times its time without
		a schedule, and at least 10s)
	-json
		print events as JSON, one object on a line
`)
	return b.String()
}
