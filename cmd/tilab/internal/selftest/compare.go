package selftest

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// A view removes the parts of an output that a comparison ignores.
type view func([]byte) []byte

// asWritten removes only the offset of a return address in its function, since
// instrumentation changes it.
func asWritten(out []byte) []byte { return frameOffset.ReplaceAll(out, nil) }

// frameOffset is the end of a frame in a traceback.
var frameOffset = regexp.MustCompile(`(?m) \+0x[0-9a-f]+$`)

// volatile lists the parts of an output that differ between two runs of one binary.
var volatile = []struct {
	re *regexp.Regexp
	by string
}{
	{regexp.MustCompile(`0x[0-9a-f]+\??`), "0xN"},
	{regexp.MustCompile(`\b(goroutine|m=|pid) ?\d+`), "$1 N"},
	{regexp.MustCompile(`\b[0-9.]+(ns|µs|ms|s)\b`), "N$1"},
	{regexp.MustCompile(`\bc0[0-9a-f]{8}\b`), "N"},
}

// steady removes addresses, goroutine numbers and durations.
func steady(out []byte) []byte {
	out = asWritten(out)
	for _, v := range volatile {
		out = v.re.ReplaceAll(out, []byte(v.by))
	}
	return out
}

// sameOutcome reports whether two runs have the same status and the same output.
func sameOutcome(a, b outcome, v view) bool {
	return a.status == b.status && bytes.Equal(v(a.output), v(b.output))
}

// difference compares an instrumented run with two plain runs and describes the first
// difference, "" if there is none. Parts that differ between the plain runs are ignored.
func difference(want, again, got outcome) string {
	switch {
	case want.status != again.status:
		// The program's own status varies. Both values are right, and outputs are not compared.
		if got.status == want.status || got.status == again.status {
			return ""
		}
		return fmt.Sprintf("%s; uninstrumented it varies: %s, %s", got.status, want.status, again.status)
	case got.status != want.status:
		return fmt.Sprintf("%s instead of %s", got.status, want.status)
	case sameOutcome(again, got, asWritten):
		return ""
	case sameOutcome(want, again, asWritten):
		return "different output"
	case sameOutcome(want, again, steady) && !sameOutcome(want, got, steady):
		return "different output, addresses and the like apart"
	}
	return ""
}

// diffExcerpt returns a few lines of both outputs from their first difference on.
func diffExcerpt(want, got []byte) []byte {
	const context = 20
	w, g := splitLines(want), splitLines(got)
	i := 0
	for i < len(w) && i < len(g) && string(asWritten([]byte(w[i]))) == string(asWritten([]byte(g[i]))) {
		i++
	}
	tail := func(lines []string) string {
		lines = lines[min(i, len(lines)):]
		return strings.Join(lines[:min(context, len(lines))], "\n")
	}
	return fmt.Appendf(nil, "from line %d, uninstrumented:\n%s\ninstrumented:\n%s\n", i+1, tail(w), tail(g))
}

// ratio formats a/b, as "-" if b is too short to divide by.
func ratio(a, b time.Duration) string {
	if b < time.Millisecond {
		return "-"
	}
	return fmt.Sprintf("%.2f", float64(a)/float64(b))
}

func firstLine(b []byte) string {
	for _, l := range splitLines(b) {
		// The go command prints the package's name in a line of its own.
		if l != "" && !strings.HasPrefix(l, "#") {
			return l
		}
	}
	return "no output"
}
