package completion

import (
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	commands := []Command{
		{Name: "build", Help: "\t-locks=all|hb\n\t\ttext\n", More: []string{"-tags=", "-v"}},
		{Name: "bench", Help: "  -count n\n\t-format=FORM\n\t\tthe -other\n"},
		{Name: "help", Words: []string{"passes", "options"}},
	}
	front := []string{"-locks=all", "-locks=hb", "-passes="}
	for _, test := range []struct{ shell, line, want string }{
		{"zsh", "taskinstr ", "build bench help"},
		{"zsh", "taskinstr b", "build bench"},
		{"zsh", "taskinstr -", "-locks= -passes="},
		{"zsh", "taskinstr -locks=hb be", "bench"},
		{"fish", "taskinstr build -l", "-locks="},
		{"fish", "taskinstr build -locks=", "-locks=all -locks=hb"},
		{"bash", "taskinstr build -locks=a", "all"},
		{"bash", "taskinstr build -", "-locks= -tags= -v"},
		{"bash", "taskinstr bench -", "-count -format="},
		{"bash", "taskinstr help p", "passes"},
		{"bash", "taskinstr build ./", ""}, // files, by the shell
		{"bash", "taskinstr frob -", ""},
		{"bash", "taskinstr", ""},
		{"bash", "", ""},
	} {
		if got := strings.Join(Complete(commands, front, test.shell, test.line), " "); got != test.want {
			t.Errorf("%s %q: %q, want %q", test.shell, test.line, got, test.want)
		}
	}
}

func TestScript(t *testing.T) {
	for _, s := range Shells {
		if text, err := Script(s); err != nil || !strings.Contains(text, "taskinstr complete "+s+" ") {
			t.Errorf("%s: %v\n%s", s, err, text)
		}
	}
	if _, err := Script("csh"); err == nil || !strings.Contains(err.Error(), "bash, zsh, fish, powershell") {
		t.Errorf("another shell: %v", err)
	}
}
