package cli

import (
	"fmt"
	"strings"

	"taskinstr/cmd/taskinstr/internal/option"
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
		{"testing", "how to see that taskinstr works with your Go", func() string { return testingText }},
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

No checks are put into package runtime and what it imports, sync, sync/atomic
and internal/sync (their effect is tracked instead), functions marked
//go:norace, functions marked //go:nosplit (the linker bounds their stack),
functions that cgo generates, coverage counters, and assembly.

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
	2	TASKINSTR holds a key or value that does not exist

	any other is the program's own

Of taskinstr itself:

	0	success
	1	it failed, or the build did; the message says which
	2	the command line was wrong

"taskinstr lint" ends with 0 whatever it finds, and "taskinstr bench" with 1 if a
benchmark failed in one of the modes.

"taskinstr build", "install", "run" and "test" end with the go command's exit
code. "go run" ends with 1 when the program fails, and prints its code
("exit status 66"); to get the code itself, build the program and start it.
`

const testingText = `Testing

"taskinstr selftest SUITE" measures taskinstr with your Go installation, on
programs that others wrote:

	taskinstr selftest gorace	the tests of go's own race detector
	taskinstr selftest gotest	the programs of GOROOT/test
	taskinstr selftest std		the tests of the standard library
	taskinstr selftest modules	the tests of some third-party modules

and

	taskinstr selftest accesses std

compares the accesses that go's -race instruments with those that taskinstr checks.

Each suite ends in a line "N passed, N failed", with the failures named before it.
"taskinstr selftest -h" lists all suites and flags.
`
