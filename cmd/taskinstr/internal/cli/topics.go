package cli

import (
	"fmt"
	"strings"

	"taskinstr/cmd/taskinstr/internal/option"
	"taskinstr/cmd/taskinstr/internal/selftest"
	"taskinstr/optimize"
	"taskinstr/rt"
)

// topic is one text of `taskinstr help TOPIC`.
type topic struct {
	name, short string
	text        func() string
}

// topics is set by init because the text on self-tests is taken from the
// command table, which refers to help.
var topics []topic

func init() {
	topics = []topic{
		{"building", "how programs are built with checks in them", func() string { return buildingText }},
		{"options", "the options of taskinstr", optionsText},
		{"passes", "the static optimizations, which remove checks", passesText},
		{"environment", "the TASKINSTR variable, which instrumented programs read", environmentText},
		{"reports", "how to read a report", func() string { return reportsText }},
		{"exit-codes", "the exit codes of taskinstr and of instrumented programs", func() string { return exitCodesText }},
		{"testing", "how to see that taskinstr works with your Go", testingText},
	}
}

const buildingText = `Building

Taskinstr stands between the go command and the compiler. The go command runs
it through -toolexec; it adds checks to the source of every package, the
standard library included, and links a race detector into the program.

	go build -toolexec=taskinstr ./cmd/server
	go test  -toolexec=taskinstr ./...
	go run   -toolexec='taskinstr -locks=hb' .

The same, with taskinstr in front (everything of go's is passed on, and go's
exit code comes back):

	taskinstr build ./cmd/server
	taskinstr test -run TestPool -count=10 ./...
	taskinstr run . -config=x

The usual flags of go work: -tags, -trimpath, -ldflags, -gcflags, -cover, -pgo,
-mod, -overlay, -buildmode=pie, and so on. Not -race, -msan and -asan, which
instrument the same accesses, nor -buildmode=plugin, shared, c-shared, c-archive.

Like -race, "taskinstr build" and the others set the build tag race: files under
//go:build race are compiled, which as a rule allow more time and do not count
allocations. The option -racetag=off leaves the tag out. With -toolexec=taskinstr
alone nobody sets it; add -tags=race (and your own tags, with commas) yourself.

No checks are put into package runtime and what it imports, sync, sync/atomic
and internal/sync (their effect is tracked instead), functions marked
//go:norace, functions that cgo generates, coverage counters, and assembly. In
functions marked //go:nosplit reads and writes are checked, but not what builtins
such as len and copy access; with -gcflags=-N nothing is checked there.

A pattern of -pkgs that selects no package of the build is an error, and a build in
which nothing is checked says so. With -toolexec=taskinstr on systems other than
Linux, where a tool cannot read the go command's line, only the latter is known, of
each program by itself.

A program says what it is, in "go version -m PROGRAM" and to itself by way of
debug.ReadBuildInfo: the setting taskinstr is taskinstr's version,
taskinstr.passes, .pkgs, .locks and .stats are the options, taskinstr.scope is
what passes looked at, taskinstr.packages how many of its packages are checked.

The build cache keeps plain and instrumented packages apart: neither build
disturbs the other, and an unchanged build compiles nothing.
`

func optionsText() string {
	var b strings.Builder
	b.WriteString(`Options

They stand inside -toolexec='taskinstr OPTIONS', or among go's flags in
"taskinstr build|install|run|test".

`)
	for _, o := range option.Table() {
		fmt.Fprintf(&b, "	%s\n\t\t%s\n", o.Usage(), strings.ReplaceAll(o.Text, "\n", "\n\t\t"))
	}
	return b.String()
}

func passesText() string {
	var b strings.Builder
	b.WriteString(`Passes

Before a build, taskinstr can look at the program as a whole and leave out checks
that are not needed: of accesses that cannot race, and of those that another
check stands for. No race is lost by it and none is added. The option -passes
chooses what is done, in every command:

	taskinstr test -passes=all ./...
	go build -toolexec='taskinstr -passes=all,-affine' ./cmd/server

The passes are, in the order in which they run:

`)
	for _, p := range optimize.Passes {
		fmt.Fprintf(&b, "	%-10s %s\n", p.Name, p.Doc)
	}
	b.WriteString(`
all stands for all of them, none for none, and -NAME leaves one out of those
before it.

"taskinstr lint" says of each access what becomes of its check and why;
"taskinstr bench" measures what each pass saves.
`)
	return b.String()
}

func environmentText() string {
	var b strings.Builder
	b.WriteString(`Environment

A program built with taskinstr reads the variable TASKINSTR when it starts:

	TASKINSTR="key=value key=value" ./server

GORACE is read too, for the keys that it shares. The keys are:

`)
	for _, k := range rt.Keys() {
		fmt.Fprintf(&b, "	%s\n\t\t%s\n", k[0], k[1])
	}
	b.WriteString(`
Taskinstr itself reads:

	` + debugEnv + `
		anything but nothing: show the stack of an internal error
	GOROOT
		where the go command is looked for when it is not on PATH
`)
	return b.String()
}

const reportsText = `Reports

A race is two accesses to the same memory, at least one of them a write, by two
goroutines that nothing orders. The report has the layout of go's own race
detector, with the source expression of each access:

	==================
	WARNING: DATA RACE
	Write at 0xc000012345 by goroutine 8:
	  ...
	Previous read at 0xc000012345 by goroutine 7:
	  ...
	Goroutine 8 (running) created at:
	  ...
	==================

Both stacks are complete, always. A DATA RACE was observed: no order of the Go
memory model separates the two accesses in this run.

A PREDICTED DATA RACE was not: in this run the order in which a lock was taken
kept the two accesses apart, but they hold no lock in common, and the lock could
have been taken in the other order. Predicted races do not change the exit code
unless TASKINSTR=predicted=fail; the option -locks=hb leaves them out.
`

const exitCodesText = `Exit codes

Of an instrumented program:

	66	it ended normally, and there was a data race (TASKINSTR=exitcode=N
		chooses another)
	67	there was no memory for the detector's history, or one of its tables
		was full; the message says how much it asked for
	2	TASKINSTR holds a key or value that does not exist

	any other is the program's own

Of taskinstr itself:

	0	success
	1	it failed, or the build did; the message says which
	2	the command line was wrong

"taskinstr detect" ends with 66 if a detector found a race in the trace.

"taskinstr explore" ends with 0 if it has proved that there is no race, with 66 if it
found one, and with 69 if it did neither.

"taskinstr lint" ends with 0 whatever it finds, and "taskinstr bench" with 1 if a
benchmark failed in one of the modes.

"taskinstr build", "install", "run" and "test" end with the go command's exit
code. "go run" ends with 1 when the program fails, and prints its code
("exit status 66"); to get the code itself, build the program and start it.
`

func testingText() string {
	return `Testing

"taskinstr selftest SUITE" measures taskinstr with your Go installation, on
programs that others wrote. The suites are:

` + selftest.Suites() + `
Each ends in a line "N passed, N failed", with the failures named before it.

"releases" fetches modules whose release notes or issues name a data race, in the
version before the fix and the one after it, and runs a program that exposes the race
with each. Where there is a C compiler go's own -race runs the same program. Each line
of its table is a version, with the runs that ended in a report, at GOMAXPROCS 1 and 2:

	case                      -race        race         predicted  verdict
	cobra-completions@v1.1.3  20/20 20/20  20/20 20/20  0/20 0/20  reported as often as by -race
	cobra-completions@v1.2.1  0/20 0/20    0/20 0/20    0/20 0/20  clean

The version before passes if the race is reported in as many runs as by -race, at each
GOMAXPROCS; the version after, if nothing is reported that -race does not report too.
Three runs (the default of -runs) find what is broken; -runs=20 makes figures to rely on.
-run=cobra chooses by name, -procs=1,8 other values of GOMAXPROCS, -keep leaves the
programs, built both ways, to be looked at.

"modules" runs tests of some modules, and programs of others: servers with their clients,
parsers, stores, caches, pools of workers. "-run=^recipes/" chooses these programs, "-list"
names them. A program that passes with go's own -race must pass, and nothing may be
reported that -race does not report.

"taskinstr selftest accesses std" compares the accesses that go's -race instruments with those
that taskinstr checks. "taskinstr selftest -h" lists all flags.
`
}
