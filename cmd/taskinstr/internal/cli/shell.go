package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/completion"
	"taskinstr/cmd/taskinstr/internal/explore/suite"
	"taskinstr/cmd/taskinstr/internal/laboratory"
	"taskinstr/cmd/taskinstr/internal/manpage"
	"taskinstr/cmd/taskinstr/internal/toolexec"
	"taskinstr/cmd/taskinstr/internal/wrapper"
)

// firstSentence returns a text up to its first full stop, which is left out. The dots of ./... are
// none.
func firstSentence(text string) string {
	words := strings.Fields(text)
	end := slices.IndexFunc(words, func(w string) bool { return strings.HasSuffix(w, ".") && !strings.HasSuffix(w, "..") })
	if end < 0 {
		return strings.Join(words, " ")
	}
	return strings.TrimSuffix(strings.Join(words[:end+1], " "), ".")
}

// wrapperHelp is the help of "taskinstr build", "install", "run" and "test": one line for each
// option. The topics have the rest.
func wrapperHelp(name string) string {
	var b strings.Builder
	examples := map[string]string{
		"build":   "	taskinstr build ./cmd/server\n	taskinstr build -pkgs=./... -o server ./cmd/server\n",
		"install": "	taskinstr install ./cmd/server\n",
		"run":     "	taskinstr run . -config=x\n	taskinstr run -locks=hb .\n",
		"test":    "	taskinstr test ./...\n	taskinstr test -run TestPool -count=10 ./...\n	taskinstr test -baseline=known.txt -baseline-update ./...\n",
	}
	b.WriteString(examples[name])
	b.WriteString("\nThe options of taskinstr are (in full: taskinstr help options):\n\n")
	for _, o := range option.Table() {
		b.WriteString(terminal.Flag(o.Usage(), firstSentence(o.Text)))
	}
	if name == "test" {
		b.WriteString("\n" + suite.Help() + "\n" + wrapper.TestHelp())
	}
	fmt.Fprintf(&b, `
All other flags are go's own: "go help build"`)
	if name == "test" {
		b.WriteString(` and "go help testflag"`)
	}
	b.WriteString(" list them. Refused\nare -race, -msan and -asan. \"taskinstr help building\" says how a build works,\n\"taskinstr help environment\" what the program reads when it starts.\n")
	return b.String()
}

func goHelp() string {
	return `With taskinstr in front of a command line of go:

	taskinstr go build ./cmd/server
	taskinstr go test ./...
	taskinstr go vet ./...

go build, install, run and test run with race checks, as "taskinstr build" and so on do.
All other commands of go run as they are. The exit code is that of the go command.
`
}

func runGo(o option.Set, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprintf(stderr, "taskinstr go: it needs a command of go, such as test; see 'taskinstr help go'\n")
		return exitcode.Usage
	}
	if asksHelp(args[0]) {
		return help([]string{"go"}, stdout, stderr)
	}
	if slices.Contains(wrapper.Commands, args[0]) {
		return lookup(args[0]).run(o, args[1:], stdout, stderr)
	}
	goPath, err := gocmd.Find()
	if err != nil {
		fmt.Fprintf(stderr, "taskinstr go: %v\n", err)
		return exitcode.Failed
	}
	cmd := exec.Command(goPath, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		fmt.Fprintf(stderr, "taskinstr go: cannot run %s: %v\n", goPath, err)
		return exitcode.Failed
	}
	return max(cmd.ProcessState.ExitCode(), 0)
}

// goCommands are commands of go that have no checks, and are not taskinstr's.
var goCommands = []string{"vet", "list", "mod", "get", "generate", "fmt", "doc", "tool", "clean", "work", "fix", "telemetry", "bug"}

func completionHelp() string {
	return `Load the script when the shell starts:

	bash        in ~/.bashrc: source <(taskinstr completion bash)
	zsh         in ~/.zshrc, behind compinit: source <(taskinstr completion zsh)
	fish        taskinstr completion fish >~/.config/fish/completions/taskinstr.fish
	powershell  in $PROFILE: taskinstr completion powershell | Out-String | Invoke-Expression

For example:

	taskinstr completion bash
`
}

func runCompletion(_ option.Set, args []string, stdout, stderr io.Writer) int {
	shell := ""
	if len(args) == 1 {
		shell = args[0]
	}
	text, err := completion.Script(shell)
	if err != nil {
		fmt.Fprintf(stderr, "taskinstr completion: %v; see `taskinstr help completion`\n", err)
		return exitcode.Usage
	}
	fmt.Fprint(stdout, text)
	return exitcode.OK
}

// completeCommand is the name by which the scripts of the shells ask. It is not in the table.
const completeCommand = "complete"

// complete prints the candidates for the end of a line.
func complete(args []string, stdout io.Writer) int {
	if len(args) != 2 {
		return exitcode.Usage
	}
	var list []completion.Command
	for i := range commands {
		list = append(list, commands[i].completion())
	}
	for _, c := range completion.Complete(list, completion.Flags(optionsText()), args[0], args[1]) {
		fmt.Fprintln(stdout, c)
	}
	return exitcode.OK
}

// completion returns the command as the completion sees it.
func (c *command) completion() completion.Command {
	r := completion.Command{Name: c.name}
	if c.text != nil {
		r.Help = c.text()
	}
	switch {
	case slices.Contains(wrapper.Commands, c.name):
		for _, f := range gocmd.BuildFlags() {
			r.More = append(r.More, "-"+f)
		}
	case c.name == "help":
		r.Words = names()
		for _, t := range topics {
			r.Words = append(r.Words, t.name)
		}
		for _, p := range pages() {
			r.Words = append(r.Words, p.Name)
		}
	case c.name == "go":
		r.Words = slices.Concat(wrapper.Commands, goCommands)
	case c.name == "completion":
		r.Words = completion.Shells
	case c.name == "trace":
		r.Words = []string{"stat", "dump", "graph"}
	case c.name == "selftest":
		for line := range strings.Lines(laboratory.Help()) {
			if f := strings.Fields(line); strings.HasPrefix(line, "\t") && len(f) > 1 && f[0] != "taskinstr" {
				r.Words = append(r.Words, f[0])
			}
		}
	}
	return r
}

func manHelp() string {
	return `	taskinstr help passes
	taskinstr help lint
	taskinstr help -man lint
	taskinstr help -man -dir=$HOME/.local/share/man/man1

-man prints the manual page of taskinstr, or that of a command. With -dir it writes the pages
of all commands into a folder, which it makes: those of one version replace those of another.
`
}

// section is that of user commands.
const section = 1

// manual carries out "taskinstr help -man".
func manual(args []string, stdout, stderr io.Writer) int {
	dir, name := "", ""
	for _, a := range args {
		value, isDir := strings.CutPrefix(strings.TrimPrefix(a, "-"), "-dir=")
		if !isDir {
			value, isDir = strings.CutPrefix(a, "-dir=")
		}
		switch {
		case isDir && value != "":
			dir = value
		case strings.HasPrefix(a, "-"), name != "":
			fmt.Fprintf(stderr, "taskinstr help -man: unexpected argument %s; see `taskinstr help help`\n", a)
			return exitcode.Usage
		default:
			name = a
		}
	}
	all := manPages()
	if dir == "" {
		want := strings.TrimSuffix("taskinstr-"+name, "-")
		for _, p := range all {
			if p.Name == want {
				fmt.Fprint(stdout, p.Roff())
				return exitcode.OK
			}
		}
		fmt.Fprintf(stderr, "taskinstr help -man: %s is no command; the commands are %s\n", name, strings.Join(names(), ", "))
		return exitcode.Usage
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		fmt.Fprintf(stderr, "taskinstr help -man: %v\n", err)
		return exitcode.Failed
	}
	for _, p := range all {
		if err := os.WriteFile(filepath.Join(dir, p.File()), []byte(p.Roff()), 0o666); err != nil {
			fmt.Fprintf(stderr, "taskinstr help -man: %v\n", err)
			return exitcode.Failed
		}
	}
	fmt.Fprintf(stderr, "taskinstr help -man: %d pages in %s\n", len(all), dir)
	return exitcode.OK
}

// manPages returns the manual pages: of taskinstr, with all topics, and of each command.
func manPages() []*manpage.Page {
	top := &manpage.Page{Name: "taskinstr", Section: section, Short: "find data races in Go programs", Synopsis: "taskinstr COMMAND [arguments]", Version: toolexec.Version(), Text: overview()}
	for _, t := range topics {
		top.Text += "\n" + t.text()
	}
	list := []*manpage.Page{top}
	for _, c := range commands {
		p := &manpage.Page{Name: "taskinstr-" + c.name, Section: section, Short: c.short, Synopsis: strings.TrimSpace("taskinstr " + c.name + " " + c.args), Version: toolexec.Version(), See: []string{"taskinstr"}}
		if c.text != nil {
			p.Text = c.text()
		}
		top.See = append(top.See, p.Name)
		list = append(list, p)
	}
	return list
}
