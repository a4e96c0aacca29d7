package wrapper

import (
	"strings"
	"testing"

	"taskinstr/cmd/internal/option"
)

// The first build of a version says that it compiles the standard library, once.
func TestFirst(t *testing.T) {
	l := &line{options: option.Default(), env: map[string]string{"GOCACHE": t.TempDir(), "GOVERSION": "go1.26.8"}}
	say := func() string {
		var out strings.Builder
		if w, err := l.first(&out); w != nil || err != nil {
			t.Errorf("progress is shown without a terminal, or %v", err)
		}
		return out.String()
	}
	if got := say(); got != "taskinstr: "+firstText+"\n" {
		t.Errorf("the first build says %q", got)
	}
	if got := say(); got != "" {
		t.Errorf("the second build says %q", got)
	}
	l.options.Stats = option.StatsChecks
	if got := say(); got != "" {
		t.Errorf("a build with another option says %q", got)
	}
	l.env["GOVERSION"] = "go1.26.9"
	if got := say(); got == "" {
		t.Error("the first build with another Go says nothing")
	}
}

func TestProgressOf(t *testing.T) {
	for notes, want := range map[string]struct {
		n      int
		last   string
		linked bool
	}{
		"":                      {0, "", false},
		"runtime\nfmt\n":        {2, "fmt", false},
		"runtime\nlink\nfmt\n":  {1, "", true},
		"runtime\nnet/http\nfm": {3, "fm", false},
	} {
		if n, last, linked := progressOf([]byte(notes)); n != want.n || last != want.last || linked != want.linked {
			t.Errorf("%q: %d, %q, %v", notes, n, last, linked)
		}
	}
}
