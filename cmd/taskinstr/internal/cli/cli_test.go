package cli

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/testfile"
	"taskinstr/cmd/taskinstr/internal/toolexec"
)

// An internal error is one line, and its stack is there on request.
func TestInternalError(t *testing.T) {
	defer func(saved []command) { commands = saved }(commands)
	commands = append(commands[:len(commands):len(commands)], command{name: "explode", run: func(option.Set, []string, io.Writer, io.Writer) int {
		panic("something odd")
	}})
	for debug, stack := range map[string]bool{"": false, "1": true} {
		t.Setenv(toolexec.DebugVar, debug)
		var out, err bytes.Buffer
		if code := Main([]string{"explode"}, &out, &err); code != exitcode.Failed {
			t.Errorf("exit code %d", code)
		}
		first, rest, _ := strings.Cut(err.String(), "\n")
		if !strings.Contains(first, "internal error: something odd") || !strings.Contains(first, "report") {
			t.Errorf("first line: %s", first)
		}
		if strings.Contains(rest, "goroutine") != stack {
			t.Errorf("%s=%q: rest %q", toolexec.DebugVar, debug, rest)
		}
	}
}

// Every topic and command has a text, and the overview names them all.
func TestHelpIsComplete(t *testing.T) {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	for _, c := range topics {
		names = append(names, c.name)
	}
	for _, name := range names {
		var out, err bytes.Buffer
		if code := Main([]string{"help", name}, &out, &err); code != exitcode.OK || out.Len() < 20 || err.Len() > 0 {
			t.Errorf("help %s: exit code %d, %q, %q", name, code, &out, &err)
		}
		if !strings.Contains(overview(), "\t"+name+" ") {
			t.Errorf("the overview does not name %s", name)
		}
	}
	seen := make(map[string]bool)
	for _, name := range names {
		if seen[name] {
			t.Errorf("%s is both a topic and a command, or listed twice", name)
		}
		seen[name] = true
	}
}

func TestIsTool(t *testing.T) {
	t.Setenv("TOOLEXEC_IMPORTPATH", "")
	for args, want := range map[string]bool{
		"/go/pkg/tool/linux_amd64/compile -V=full": true,
		`C:\go\pkg\tool\compile.exe`:               true,
		"gcc -### -x c -c -":                       true,
		"frob":                                     false,
		"frob -v":                                  false,
	} {
		if got := isTool(strings.Fields(args)); got != want {
			t.Errorf("isTool(%q) = %v", args, got)
		}
	}
}

// Each example in a help text is run by testdata/script/examples.txtar, with the same words and
// possibly more flags behind them. Metavariables in capitals make a line a synopsis.
func TestExamplesAreRun(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "script", "examples.txtar")
	script := testfile.Read(t, file)
	example := regexp.MustCompile(`(?m)^\t(taskinstr [^\n]*)$`)
	synopsis := regexp.MustCompile(`\[|\b[A-Z]{3,}\b`)
	// Other scripts run explorations, with fewer schedules; other machines are in no test.
	elsewhere := regexp.MustCompile(`://| -explore=`)
	check := func(name, help string) (n int) {
		for _, m := range example.FindAllStringSubmatch(help, -1) {
			if synopsis.MatchString(strings.ReplaceAll(m[1], "$HOME", "")) {
				continue
			}
			n++
			if elsewhere.MatchString(m[1]) {
				continue
			}
			line, _, _ := strings.Cut(m[1], " >")
			line = strings.Join(strings.Fields(line), " ")
			if strings.Contains(line, "-func=") {
				line = strings.ReplaceAll(line, "-func='(*Account).Deposit'", "'-func=(*Account).Deposit'") // as testscript quotes
			}
			if !strings.Contains(script, "exec "+line+"\n") && !strings.Contains(script, "exec "+line+" ") {
				t.Errorf("help %s: %s does not run the example\n\t%s", name, file, line)
			}
		}
		return n
	}
	for _, c := range commands {
		if c.text == nil {
			t.Errorf("%s has no help text", c.name)
		} else if check(c.name, c.text()) == 0 && c.name != "report" && c.name != "replay" { // which need a file of their own
			t.Errorf("help %s has no example", c.name)
		}
	}
	for _, topic := range topics {
		check(topic.name, topic.text())
	}
}

func TestFirstSentence(t *testing.T) {
	for text, want := range map[string]string{
		"patterns (./... and ../x too).\nThe rest.": "patterns (./... and ../x too)",
		"all: report\nboth. hb: one.":               "all: report both",
		"no full stop":                              "no full stop",
		"":                                          "",
	} {
		if got := firstSentence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
