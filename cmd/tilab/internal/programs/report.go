package programs

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"taskinstr/cmd/tilab/internal/racelog"
)

// Report is one race report as printed in Go's layout.
type Report struct {
	Tier Tier
	A, B Line // of the later and the earlier access: the innermost frame in the program's own files
	// Also holds the other accesses that the check at A covers, and the check at B.
	Also [2][]Line
	Text string
}

var (
	// A line that names an access, and the lines below it for a merged check.
	accessedRE = regexp.MustCompile(`^  (?:atomic )?(?:read|write) of .* at .+\.go:\d+`)
	alsoRE     = regexp.MustCompile(` at (\S+\.go:\d+)`)
)

// ParseReports returns the race reports in the output of a program. own holds the base names
// of the program's files.
func ParseReports(out string, own map[string]bool) (list []Report) {
	for _, l := range racelog.Parse([]byte(out)) {
		r := Report{Tier: Race, Text: l.Text}
		if l.Predicted {
			r.Tier = Predicted
		}
		places := l.Innermost(func(_, place string) bool { return own[lineAt(place).File] })
		r.A, r.B = lineAt(places[0]), lineAt(places[1])
		accessed := 0 // lines that name an access
		for line := range strings.SplitSeq(l.Text, "\n") {
			if accessedRE.MatchString(line) {
				accessed++
			}
			if rest, ok := strings.CutPrefix(line, "    the check there stands for "); ok && (accessed == 1 || accessed == 2) {
				for _, m := range alsoRE.FindAllStringSubmatch(rest, -1) {
					r.Also[accessed-1] = append(r.Also[accessed-1], lineAt(m[1]))
				}
			}
		}
		list = append(list, r)
	}
	return list
}

// lineAt returns the line at file:line.
func lineAt(place string) Line {
	i := strings.LastIndexByte(place, ':')
	if i < 0 {
		return Line{}
	}
	n, _ := strconv.Atoi(place[i+1:])
	return Line{filepath.Base(place[:i]), n}
}

// names reports whether the report names an access of the expression at the line, as in
// "  write of acct.balance (field balance of Account) at /src/bank/main.go:23:2".
func (r Report) names(expr string, l Line) bool {
	at := fmt.Sprintf("%s:%d", l.File, l.Line)
	for line := range strings.SplitSeq(r.Text, "\n") {
		_, what, ok := strings.Cut(line, " of ")
		if !ok || !strings.HasPrefix(what, expr+" ") {
			continue
		}
		i := strings.LastIndex(what, at)
		if i < 0 {
			continue
		}
		rest := what[i+len(at):]
		if rest == "" || rest[0] < '0' || rest[0] > '9' {
			return true
		}
	}
	return false
}
