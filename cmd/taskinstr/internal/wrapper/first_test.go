package wrapper

import (
	"strings"
	"testing"
	"time"

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
		"runtime\nlink\nfmt\n":  {2, "fmt", true},
		"runtime\nnet/http\nfm": {3, "fm", false},
	} {
		if n, last, linked := progressOf([]byte(notes)); n != want.n || last != want.last || linked != want.linked {
			t.Errorf("%q: %d, %q, %v", notes, n, last, linked)
		}
	}
}

func TestProgressText(t *testing.T) {
	for _, test := range []struct {
		n, all int
		want   string
	}{
		{3, 0, "3 packages compiled: fmt"},
		{3, 40, "3 of 40 packages compiled: fmt"},
		{10, 40, "10 of 40 packages compiled, about 30s left: fmt"},
		{41, 40, "41 packages compiled: fmt"}, // the count came too early
	} {
		if got := progressText(test.n, test.all, 10*time.Second, "fmt"); got != test.want {
			t.Errorf("%d of %d: %q", test.n, test.all, got)
		}
	}
}

// The list has the flags that decide what is compiled, and no flag of the test.
func TestListing(t *testing.T) {
	got := strings.Join(listing([]string{"go", "test", "-toolexec=t x", "-tags=race", "-v", "-run=A", "-gcflags=all=-N", "./p", "-args", "./q"}), " ")
	if !strings.HasPrefix(got, "list -e -deps -test -f {{if .Stale}}") || !strings.HasSuffix(got, " -toolexec=t x -tags=race -gcflags=all=-N ./p") {
		t.Errorf("listing: %s", got)
	}
	if got := listing([]string{"go", "vet"}); got != nil {
		t.Errorf("listing of another command: %q", got)
	}
}

// What has been compiled since the list was begun counts once.
func TestAllOf(t *testing.T) {
	if n := allOf("fmt\nnet\nm/p [m/p.test]\n", "runtime\nfmt\nlink\nm/p\n"); n != 4 {
		t.Errorf("%d packages", n)
	}
}
