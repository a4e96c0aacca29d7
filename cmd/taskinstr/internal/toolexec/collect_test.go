package toolexec

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestCollecting: the settings follow the size of all files together, and the user's own win.
func TestCollecting(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	half := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(half, make([]byte, fewBytes/2+1), 0o666); err != nil {
		t.Fatal(err)
	}
	off := []string{"GOGC=off", "GOMEMLIMIT=" + fewLimit}
	for _, c := range []struct {
		files []string
		want  []string
	}{
		{[]string{half, "missing.go"}, off},
		{[]string{half, half}, []string{"GOGC=" + share}},
	} {
		if got := collecting(c.files); !slices.Equal(got, c.want) {
			t.Errorf("%d files: %q, want %q", len(c.files), got, c.want)
		}
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "100")
			if got := collecting([]string{half}); got != nil {
				t.Errorf("%q although the user has set %s", got, name)
			}
		})
	}
}
