package programs

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Report is one race report as printed in Go's layout.
type Report struct {
	Tier Tier
	A, B Line // of the later and the earlier access: the innermost frame in the program's own files
	// Also holds the other accesses that the check at A covers, and the check at B.
	Also [2][]Line
	Text string
}

const banner = "=================="

var (
	// A header opens a stack: the two accesses first, then where goroutines were created.
	accessRE = regexp.MustCompile(`^(?:Previous )?(?:[Aa]tomic )?(?:[Rr]ead|[Ww]rite) at 0x[0-9a-f]+ by `)
	frameRE  = regexp.MustCompile(`^      (.+\.go):(\d+)(?: \+0x[0-9a-f]+)?\s*$`)
	// A line that names an access, and the lines below it for a merged check.
	accessedRE = regexp.MustCompile(`^  (?:atomic )?(?:read|write) of .* at .+\.go:\d+`)
	alsoRE     = regexp.MustCompile(` at (\S+\.go):(\d+)`)
)

// ParseReports returns the race reports in the output of a program. own holds the base names
// of the program's files.
func ParseReports(out string, own map[string]bool) []Report {
	var rs []Report
	var cur *Report
	var text []string
	stacks := 0 // access headers seen in cur
	found := false
	accessed := 0 // lines in cur that name an access
	flush := func() {
		if cur != nil && stacks > 0 {
			cur.Text = strings.Join(text, "\n")
			rs = append(rs, *cur)
		}
		cur, text, stacks, accessed = nil, nil, 0, 0
	}
	in := false // inside an access's stack
	for _, line := range strings.Split(out, "\n") {
		switch {
		case strings.HasSuffix(line, "WARNING: DATA RACE"):
			flush()
			cur = &Report{Tier: Race}
		case strings.HasSuffix(line, "WARNING: PREDICTED DATA RACE"):
			flush()
			cur = &Report{Tier: Predicted}
		case strings.TrimSpace(line) == banner:
			flush()
			continue
		}
		if cur == nil {
			continue
		}
		text = append(text, line)
		if accessedRE.MatchString(line) {
			accessed++
		}
		if rest, ok := strings.CutPrefix(line, "    the check there stands for "); ok && (accessed == 1 || accessed == 2) {
			for _, m := range alsoRE.FindAllStringSubmatch(rest, -1) {
				n, _ := strconv.Atoi(m[2])
				cur.Also[accessed-1] = append(cur.Also[accessed-1], Line{filepath.Base(m[1]), n})
			}
		}
		if accessRE.MatchString(line) {
			stacks++
			in, found = true, false
			continue
		}
		if line == "" || line[0] != ' ' {
			in = false
			continue
		}
		if m := frameRE.FindStringSubmatch(line); m != nil && in && !found {
			if base := filepath.Base(m[1]); own[base] {
				n, _ := strconv.Atoi(m[2])
				found = true
				if stacks == 1 {
					cur.A = Line{base, n}
				} else {
					cur.B = Line{base, n}
				}
			}
		}
	}
	flush()
	return rs
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
