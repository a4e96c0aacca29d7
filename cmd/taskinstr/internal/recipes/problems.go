package recipes

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// A Task is a task of Visual Studio Code.
type Task struct {
	Label    string    `json:"label"`
	Command  string    `json:"command"`
	Args     []string  `json:"args"`
	Matchers []Matcher `json:"problemMatcher"`
}

// A Matcher finds problems in the output of a task. Its patterns match successive lines; the
// last one with loop matches further lines.
type Matcher struct {
	Owner    string    `json:"owner"`
	Severity string    `json:"severity"`
	Patterns []Pattern `json:"pattern"`
}

// A Pattern matches a line. The numbers are those of groups, 0 if it has none for the purpose.
type Pattern struct {
	Regexp  string `json:"regexp"`
	Code    int    `json:"code"`
	Message int    `json:"message"`
	File    int    `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Loop    bool   `json:"loop"`
}

// Tasks reads a tasks.json without comments.
func Tasks(text []byte) ([]Task, error) {
	var file struct {
		Tasks []Task `json:"tasks"`
	}
	err := json.Unmarshal(text, &file)
	return file.Tasks, err
}

// Problems returns the problems that the editor shows for the output of a task, each as
// file:line:column: severity: message [code].
func (t *Task) Problems(output string) (list []string, err error) {
	lines := strings.Split(strings.TrimSuffix(output, "\n"), "\n")
	for _, m := range t.Matchers {
		var expressions []*regexp.Regexp
		for _, p := range m.Patterns {
			re, err := regexp.Compile(p.Regexp)
			if err != nil {
				return nil, fmt.Errorf("matcher %s: %w", m.Owner, err)
			}
			expressions = append(expressions, re)
		}
		for i := 0; i < len(lines); i++ {
			var p problem
			k := 0
			for k < len(m.Patterns) && i+k < len(lines) && p.fill(m.Patterns[k], expressions[k].FindStringSubmatch(lines[i+k])) {
				k++
			}
			if k < len(m.Patterns) {
				continue
			}
			i += k - 1
			list = p.add(list, m.Severity)
			for last := len(m.Patterns) - 1; m.Patterns[last].Loop && i+1 < len(lines); i++ {
				next := problem{code: p.code}
				if !next.fill(m.Patterns[last], expressions[last].FindStringSubmatch(lines[i+1])) {
					break
				}
				list = next.add(list, m.Severity)
			}
		}
	}
	return list, nil
}

// A problem is what the groups of the patterns have matched.
type problem struct{ code, message, file, line, column string }

// fill takes the groups of a match. It returns false if there is no match.
func (p *problem) fill(pattern Pattern, groups []string) bool {
	for _, f := range []struct {
		group int
		to    *string
	}{{pattern.Code, &p.code}, {pattern.Message, &p.message}, {pattern.File, &p.file}, {pattern.Line, &p.line}, {pattern.Column, &p.column}} {
		if f.group > 0 && f.group < len(groups) && groups[f.group] != "" {
			*f.to = groups[f.group]
		}
	}
	return groups != nil
}

// add appends a problem that has a place and a message; the editor shows no others.
func (p problem) add(list []string, severity string) []string {
	if p.file == "" || p.line == "" || p.message == "" {
		return list
	}
	place := p.file + ":" + p.line
	if p.column != "" {
		place += ":" + p.column
	}
	text := place + ": " + severity + ": " + p.message
	if p.code != "" {
		text += " [" + p.code + "]"
	}
	return append(list, text)
}
