package completion

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed files
var files embed.FS

// Shells are the shells that have a script.
var Shells = []string{"bash", "zsh", "fish", "powershell"}

// Script returns the script of a shell.
func Script(shell string) (string, error) {
	text, err := files.ReadFile("files/taskinstr." + shell)
	if err != nil {
		return "", fmt.Errorf("there is no completion for %q; the shells are %s", shell, strings.Join(Shells, ", "))
	}
	return string(text), nil
}

// A Command is a sub-command as the completion sees it.
type Command struct {
	Name  string
	Help  string   // its help text, which lists its flags
	More  []string // flags that the help only refers to, with their dash
	Words []string // what may follow beside flags and files: topics, verbs, suites
}

// flagLine matches a line of a help text that lists flags: -name, -name=VALUE, -name VALUE.
// wordList matches the values of a flag that are words: a|b|c. Both are compiled when they are
// needed, since this program starts for each tool of a build.
var (
	flagLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]+(-[a-z][a-z-]*)(?:([= ])(\S+))?`)
	})
	wordList = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9]*(\|[a-z][a-z0-9]*)+$`) })
)

// Flags returns the flags that a help text lists: with "=" behind those that take a value, and
// with each value where these are words.
func Flags(help string) (list []string) {
	for _, m := range flagLine().FindAllStringSubmatch(help, -1) {
		switch {
		case m[2] != "=":
			list = append(list, m[1])
		case wordList().MatchString(m[3]):
			for v := range strings.SplitSeq(m[3], "|") {
				list = append(list, m[1]+"="+v)
			}
		default:
			list = append(list, m[1]+"=")
		}
	}
	return list
}

// Complete returns the candidates for the last word of a line that begins with the name of
// this program. front holds the flags that may stand before the command. A candidate replaces
// the whole word, in bash what follows its last "=".
func Complete(commands []Command, front []string, shell, line string) (list []string) {
	words := strings.Fields(line)
	if line == "" || strings.HasSuffix(line, " ") {
		words = append(words, "")
	}
	if len(words) < 2 {
		return nil
	}
	last := words[len(words)-1]
	var command *Command
	for _, w := range words[1 : len(words)-1] {
		if strings.HasPrefix(w, "-") {
			continue
		}
		i := slices.IndexFunc(commands, func(c Command) bool { return c.Name == w })
		if i < 0 {
			return nil
		}
		command = &commands[i]
		break
	}
	var all []string
	switch {
	case command == nil && strings.HasPrefix(last, "-"):
		all = front
	case command == nil:
		for _, c := range commands {
			all = append(all, c.Name)
		}
	case strings.HasPrefix(last, "-"):
		all = append(Flags(command.Help), command.More...)
	default:
		all = command.Words
	}
	name, _, valued := strings.Cut(last, "=")
	for _, c := range all {
		if !strings.HasPrefix(c, last) {
			continue
		}
		// Values are offered once their flag is there.
		if flag, _, ok := strings.Cut(c, "="); ok && !valued {
			c = flag + "="
		} else if ok && shell == "bash" {
			c = strings.TrimPrefix(c, name+"=") // bash takes = for the end of a word
		}
		if !slices.Contains(list, c) && c != "" {
			list = append(list, c)
		}
	}
	return list
}
