package cli

import (
	"fmt"
	"strings"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/laboratory"
	"taskinstr/cmd/taskinstr/internal/toolexec"
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
		{"testing", "how to see that taskinstr works with your Go", laboratory.Help},
	}
}

const buildingText = `Building

The go command runs taskinstr in place of the compiler, through -toolexec. Taskinstr
adds checks to the source of every package, the standard library included, and links
a race detector into the program.

	go build -toolexec=taskinstr ./cmd/server
	go test  -toolexec=taskinstr ./...
	go run   -toolexec='taskinstr -locks=hb' .

The same with taskinstr in front. It passes go's flags and arguments to the go
command, and returns go's exit code:

	taskinstr build ./cmd/server
	taskinstr test -run TestPool -count=10 ./...
	taskinstr run . -config=x

The usual flags of go work: -tags, -trimpath, -ldflags, -gcflags, -cover, -pgo,
-mod, -overlay, -buildmode=pie, and so on. Refused are -race, -msan and -asan, which
instrument the same accesses, and -buildmode=plugin, shared, c-shared, c-archive.

Like -race, a build checks conversions of unsafe pointers, where they can fail, in the
packages that get checks (-d=checkptr). The flag -gcflags=all=-d=checkptr=0 switches that off.

Like -race, "taskinstr build", "install", "run" and "test" set the build tag race, so
that files under //go:build race are compiled. Such files usually allow more time and
do not count allocations. The option -racetag=off leaves the tag out. With
-toolexec=taskinstr alone the tag is not set; add -tags=race (and your own tags,
separated by commas) yourself.

Package runtime and its imports, sync, sync/atomic and internal/sync get no checks;
their effects are tracked instead. Nor do functions marked //go:norace, functions that
cgo generates, coverage counters, and assembly. In functions marked //go:nosplit reads
and writes are checked, but not the accesses of builtins such as len and copy; in
packages that are compiled with -N these functions have no checks.

A pattern of -pkgs that selects no package of the build is an error, and a build in
which nothing is checked prints a warning. On systems other than Linux a tool cannot
read the go command's line. There -toolexec=taskinstr prints the warning for each
program and does not report single patterns.

The settings of an instrumented program are in "go version -m PROGRAM" and in
debug.ReadBuildInfo: taskinstr is the version of taskinstr, taskinstr.passes, .pkgs,
.locks, .detector and .stats are the options, taskinstr.scope is the code that the
passes analyzed, taskinstr.packages the number of packages with checks.

The build cache keeps plain and instrumented packages apart: neither build
disturbs the other, and an unchanged build compiles nothing.

The first build compiles the standard library with checks. "taskinstr build", "install",
"run" and "test" say so once, and show the progress on a terminal. Builds with the tag
race and builds without it have a copy of the library each, and so have different values
of -stats, -detector, -branches, and of -pkgs inside -toolexec.
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

A build leaves out checks that are not needed: checks of accesses that cannot race, and
checks that another check covers. No race is lost and none is invented. The option
-passes chooses the passes, in every command; all of them run by default:

	taskinstr test -passes=none ./...
	go build -toolexec='taskinstr -passes=all,-affine' ./cmd/server

The passes are, in the order in which they run:

`)
	for _, p := range optimize.Passes {
		fmt.Fprintf(&b, "	%-10s %s\n", p.Name, p.Doc)
	}
	b.WriteString(`
"all" means all of them, "none" means none, and -NAME leaves a pass out of those before
it.

By default each package is analyzed by itself while it is compiled, with facts of the
functions that it imports. Such a build takes little longer than one without passes and
compiles only what go would compile again. These passes take part:
` + strings.Join(optimize.Local().Names(), ", ") + `.

With -scope=program the packages of the main module, and of the modules that the command
line names, are analyzed together before they are compiled, at each change. Packages of
other modules are analyzed with them if they have at most 8 MB of source in all. More
checks go. All other packages, the standard library among them, are analyzed by
themselves in this scope, too, once for all programs.

"taskinstr lint" shows which checks are left, and what would let them go;
"taskinstr bench" measures the gain of each pass.
`)
	return b.String()
}

func environmentText() string {
	var b strings.Builder
	b.WriteString(`Environment

A program built with taskinstr reads the variable TASKINSTR when it starts:

	TASKINSTR="key=value key=value" ./server

The variable GORACE of go's own race detector is read first, by that detector's rules:
space, comma, colon, tab and newline end an option, quotes keep them in a value, and an
unknown option does not stop the program (verbosity=1 lists unknown ones). The keys are:

`)
	for _, k := range rt.Keys() {
		where := ""
		switch {
		case k.Idle:
			continue
		case !k.Taskinstr:
			where = " (GORACE only)"
		case k.Gorace:
			where = " (GORACE too)"
		}
		b.WriteString(terminal.Flag(k.Name+where, k.Text))
	}
	b.WriteString(`
The other options of GORACE are accepted and have no effect here.

	TASKINSTR_REPORTS=FOLDER
		keep the reports of each process in this folder, as JSON, beside what it prints;
		an absolute path (see "taskinstr help report")

Taskinstr itself reads:

	` + toolexec.DebugVar + `
		if not empty, show the stack of an internal error (with go's flag -a, the
		stack of an error whose message comes from the build cache)
	GOROOT
		the folder of the go command if it is not on PATH
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

Both stacks are always complete. A DATA RACE was observed: in this run the Go memory
model does not order the two accesses.

A PREDICTED DATA RACE was not observed. In this run the two accesses were ordered, but
only because a lock was taken in one order and not in the other; they hold no lock in
common. Predicted races do not change the exit code unless TASKINSTR=predicted=fail; the
option -locks=hb leaves them out.

"taskinstr test" prints a summary of all reports at its end, since go test does not show
the output of tests that pass. "taskinstr report" prints reports that were kept as JSON.
Known reports stand in a baseline (taskinstr help test, taskinstr help ci).
`

const exitCodesText = `Exit codes

Of an instrumented program:

	66	it ended normally, and there was a data race (TASKINSTR=exitcode=N
		chooses another)
	67	there was no memory for the detector's history, or one of its tables
		was full; the message contains the size of the request
	2	TASKINSTR holds a key or value that does not exist, or GORACE a bad value

	any other is the program's own

Of taskinstr itself:

	0	success
	1	taskinstr or the build failed; the message names the reason
	2	the command line was wrong

"taskinstr report" ends with 66 if there is a race that is not known (predicted races
alone give 0).

"taskinstr detect" ends with 66 if a detector found a race in the trace.

"taskinstr test -explore" ends with 1 if a schedule has shown anything but a predicted race,
with 130 if Ctrl-C has ended it before, and with 0 if there was nothing. "taskinstr replay"
ends with 1 if a run has not shown the finding again.

"taskinstr explore" ends with 0 if it has proved that there is no race, with 66 if it
found one, and with 69 if it did neither.

"taskinstr lint" ends with 3 if there is an access that its flag -fail-on names, and
"taskinstr bench" with 1 if a benchmark failed in one of the modes.

"taskinstr build", "install", "run" and "test" end with the go command's exit
code. "go run" ends with 1 when the program fails, and prints its code
("exit status 66"); to get the code itself, build the program and start it.
`
