package cli

import (
	"io"
	"slices"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/bench"
	"taskinstr/cmd/taskinstr/internal/detect"
	"taskinstr/cmd/taskinstr/internal/explore"
	"taskinstr/cmd/taskinstr/internal/explore/rerun"
	"taskinstr/cmd/taskinstr/internal/explore/suite"
	"taskinstr/cmd/taskinstr/internal/farm/link"
	"taskinstr/cmd/taskinstr/internal/laboratory"
	"taskinstr/cmd/taskinstr/internal/lint"
	"taskinstr/cmd/taskinstr/internal/reports"
	"taskinstr/cmd/taskinstr/internal/toolexec"
	"taskinstr/cmd/taskinstr/internal/tracefile"
	"taskinstr/cmd/taskinstr/internal/view"
	"taskinstr/cmd/taskinstr/internal/wrapper"
)

// command is one sub-command.
type command struct {
	name  string
	args  string
	short string
	text  func() string // returns the rest of its help; may be nil
	// ownHelp says that run itself answers -h, since it reads flags in its own way.
	ownHelp bool
	run     func(o option.Set, args []string, stdout, stderr io.Writer) int
}

// plain returns the run of a command that has no options before its name.
func plain(run func(args []string, stdout, stderr io.Writer) int) func(option.Set, []string, io.Writer, io.Writer) int {
	return func(_ option.Set, args []string, stdout, stderr io.Writer) int { return run(args, stdout, stderr) }
}

// commands lists the sub-commands in the order of the help text. It is set by
// init because help refers to it.
var commands []command

func init() {
	for _, name := range wrapper.Commands {
		commands = append(commands, command{
			name: name, args: "[options] [go " + name + "'s flags and arguments]", short: "go " + name + ", with race checks in all packages",
			text: func() string { return wrapperHelp(name) },
			run: func(o option.Set, args []string, stdout, stderr io.Writer) int {
				if name == "test" && suite.Asked(args) {
					return suite.Main(o, args, stdout, stderr)
				}
				return wrapper.Main(o, name, args, stderr)
			},
		})
	}
	commands = append(commands,
		command{"report", "[flags] FOLDER|FILE...", "merge the reports of several processes, and convert them for CI",
			reports.Help, true,
			func(_ option.Set, args []string, stdout, stderr io.Writer) int {
				return reports.Main(toolexec.Version(), args, stdout, stderr)
			}},
		command{"view", "[flags] FILE|FOLDER...", "show reports, traces, schedules and measurements as a page",
			view.Help, true, plain(view.Main)},
		command{"lint", "[flags] [packages]", "show which accesses a build would check, why, and what would let the checks go",
			lint.Help, true,
			func(o option.Set, args []string, stdout, stderr io.Writer) int {
				return lint.Main(o, toolexec.Version(), args, stdout, stderr)
			}},
		command{"bench", "[flags] [packages]", "measure the cost of checks in the packages' benchmarks, and the gain of each pass",
			bench.Help, true,
			func(o option.Set, args []string, stdout, stderr io.Writer) int {
				return bench.Main(o, toolexec.Version(), args, stdout, stderr)
			}},
		command{"detect", "[flags] FILE", "run race detectors on a trace, and compare them",
			detect.Help, true, plain(detect.Main)},
		command{"explore", "[flags] PACKAGE [arguments]", "run a program in all orders of its critical sections: a proof for the input, or a race",
			explore.Help, true, explore.Main},
		command{"replay", "[flags] FILE", "run the schedule of a finding of `test -explore` again",
			rerun.Help, true, plain(rerun.Main)},
		command{link.WorkerCommand, "[flags] SERVER", "run schedules for `test -explore -workers=SERVER` of other machines",
			link.WorkerHelp, true, plain(link.Worker)},
		command{"trace", "VERB [flags] FILE", "show the contents of a trace: figures, events, a graph of its tasks",
			tracefile.Help, true, plain(tracefile.Main)},
		command{"selftest", "SUITE [flags]", "run a test suite with your Go installation",
			laboratory.Help, true, plain(laboratory.Main)},
		command{"go", "COMMAND [arguments]", "run the go command: build, install, run and test with race checks",
			goHelp, true, runGo},
		command{"completion", "bash|zsh|fish|powershell", "print the script that completes command lines in a shell",
			completionHelp, false, runCompletion},
		command{"env", "[-json]", "print taskinstr's environment: Go, folders, options",
			func() string { return "	taskinstr env\n	taskinstr env -json\n" }, false, runEnv},
		command{"version", "", "print the version, and the Go versions it supports",
			func() string { return "	taskinstr version\n" }, false, plain(printVersion)},
		command{"help", "[topic] | -man [-dir=FOLDER] [command]", "print this text, or the text on a topic or a command; or manual pages",
			manHelp, false, plain(help)},
	)
}

// wantsHelp reports whether the arguments of the command ask for its help text.
func (c *command) wantsHelp(args []string) bool {
	if c.ownHelp {
		return false
	}
	if slices.Contains(wrapper.Commands, c.name) {
		return wrapper.WantsHelp(c.name, args)
	}
	return slices.ContainsFunc(args, asksHelp)
}

func lookup(name string) *command {
	if i := slices.IndexFunc(commands, func(c command) bool { return c.name == name }); i >= 0 {
		return &commands[i]
	}
	return nil
}

func names() []string {
	var n []string
	for _, c := range commands {
		n = append(n, c.name)
	}
	return n
}
