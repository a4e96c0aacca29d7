package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"taskinstr/cmd/internal/option"
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
		if code := Main([]string{"explode"}, &out, &err); code != exitFailed {
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
		if code := Main([]string{"help", name}, &out, &err); code != exitOK || out.Len() < 20 || err.Len() > 0 {
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
