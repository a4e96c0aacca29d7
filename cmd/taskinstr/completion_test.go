package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"taskinstr/cmd/internal/testfile"
)

// shell skips the test if a shell is missing, and returns a function that runs a script in it. The
// folder of the script has one file, known.txt, and taskinstr is on PATH.
func shell(t *testing.T, args ...string) func(script string) string {
	t.Helper()
	path, err := exec.LookPath(args[0])
	if err != nil {
		t.Skipf("%s is not on PATH, so its completion is not tested", args[0])
	}
	dir := t.TempDir()
	testfile.Write(t, filepath.Join(dir, "known.txt"), "")
	return func(script string) string {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, path, append(slices.Clone(args[1:]), "-c", script)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+command+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "TERM=dumb")
		cmd.WaitDelay = time.Second
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s\n%s", args[0], err, script, out)
		}
		return string(out)
	}
}

// The functions of the shells themselves complete lines: commands, flags, values, topics and files.
var completions = []struct {
	line string
	want []string
}{
	{"taskinstr rep", []string{"replay", "report"}},
	{"taskinstr test -loc", []string{"-locks="}},
	{"taskinstr test -locks=", []string{"-locks=all", "-locks=hb"}},
	{"taskinstr help pas", []string{"passes"}},
	{"taskinstr view kno", []string{"known.txt"}},
}

func TestFish(t *testing.T) {
	run := shell(t, "fish", "--no-config")
	for _, c := range completions {
		out := run(fmt.Sprintf("taskinstr completion fish | source; complete -C '%s'", c.line))
		got := strings.Fields(out)
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("fish, %q: %q, want %q", c.line, got, c.want)
		}
	}
}

// TestZsh lets an interactive zsh in a terminal of its own complete lines, and waits for the line or
// the list that must appear.
func TestZsh(t *testing.T) {
	run := shell(t, "zsh", "-f")
	for _, c := range completions {
		shown := strings.Join(c.want, "*")
		if len(c.want) == 1 {
			shown = c.line[:strings.LastIndexByte(c.line, ' ')+1] + c.want[0]
		}
		out := run(fmt.Sprintf(`zmodload zsh/zpty
			zpty z 'zsh -f -i'
			zpty -w z 'PROMPT="ready> "; autoload -Uz compinit; compinit -u -D; source <(taskinstr completion zsh); echo pre""pared'
			zpty -r z out '*prepared*ready> *'
			zpty -w -n z '%s'$'\t'
			zpty -r z out '*%s*'
			zpty -d z
			print -r -- done`, c.line, shown))
		if !strings.Contains(out, "done") {
			t.Errorf("zsh, %q: %q", c.line, out)
		}
	}
}

func TestBash(t *testing.T) {
	run := shell(t, "bash", "--norc")
	for _, c := range completions {
		words := strings.Fields(c.line)
		out := run(fmt.Sprintf(`source <(taskinstr completion bash)
			COMP_LINE='%s' COMP_POINT=%d COMP_WORDS=(%s) COMP_CWORD=%d
			_taskinstr
			printf '%%s\n' "${COMPREPLY[@]}"`, c.line, len(c.line), strings.Join(words, " "), len(words)-1))
		want := slices.Clone(c.want)
		for i := range want {
			if _, value, ok := strings.Cut(want[i], "="); ok && value != "" {
				want[i] = value // "=" ends a word in bash
			}
		}
		if want[0] == "known.txt" {
			want = nil // by bash itself, because of -o default
		}
		got := strings.Fields(out)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("bash, %q: %q, want %q", c.line, got, want)
		}
	}
}
