package local

import (
	"regexp"
	"slices"
	"strings"
)

// A goroutine is one stack in the output of a program that has ended.
type goroutine struct {
	state  string // what it was doing, such as "sync.Mutex.Lock"
	frames []frame
	by     []frame // the calls of the go statement that has made it; without leaks=1 none
}

type frame struct{ function, place string } // place: FILE:LINE

var header = regexp.MustCompile(`^goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[([^\],]*)[^\]]*\]:$`)

// stacks returns the stacks in an output.
func stacks(out string) (list []goroutine) {
	open, by := false, false
	name := ""
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, "\r\n")
		switch m := header.FindStringSubmatch(line); {
		case m != nil:
			list = append(list, goroutine{state: m[1]})
			open, by, name = true, false, ""
		case line == "":
			open = false
		case !open:
		case strings.HasPrefix(line, "\t"):
			place, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if name != "" {
				g := &list[len(list)-1]
				if by {
					g.by = append(g.by, frame{name, place})
				} else {
					g.frames = append(g.frames, frame{name, place})
				}
			}
			name = ""
		default:
			name = line
			if strings.HasPrefix(line, "created by ") {
				name = "" // the goroutine is not there
			} else if line == startedBy {
				by, name = true, ""
			} else if i := strings.LastIndexByte(line, '('); i > 0 {
				name = line[:i]
			}
		}
	}
	return list
}

// inside are the beginnings of functions that are not the user's.
var inside = []string{"runtime.", "runtime/", "internal/", "sync.", "sync/", "time.", "testing.", "panic"}

// user reports whether the frame belongs to the user's code. The main function of a test binary
// is the go command's.
func (f frame) user() bool {
	return !strings.HasPrefix(f.place, "_testmain.go:") && !slices.ContainsFunc(inside, func(p string) bool { return strings.HasPrefix(f.function, p) })
}

// where returns the innermost frame of the user's code; ok is false if there is none.
func (g *goroutine) where() (f frame, ok bool) {
	i := slices.IndexFunc(g.frames, frame.user)
	if i < 0 {
		return frame{}, false
	}
	return g.frames[i], true
}

// blocked returns a line for each place at which goroutines are blocked, sorted, and the same
// lines without the folders of files.
func blocked(list []goroutine) (lines, names []string) {
	for i := range list {
		g := &list[i]
		if f, ok := g.where(); ok && g.state != "running" && g.state != "runnable" {
			what := g.state + " in " + short(f.function) + " at "
			lines, names = append(lines, what+f.place), append(names, what+base(f.place))
		}
	}
	slices.Sort(lines)
	slices.Sort(names)
	return slices.Compact(lines), slices.Compact(names)
}

// base returns a place without the folder of its file, which differs between machines.
func base(place string) string { return place[strings.LastIndexAny(place, `/\\`)+1:] }

// short returns the name of a function without the folders of its package.
func short(function string) string {
	return function[strings.LastIndexByte(function, '/')+1:]
}
