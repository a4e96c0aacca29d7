package splice

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

var goTests = flag.String("splice.gotest", "", "compare the plain and the rewritten form of the `// run` programs below GOROOT/test that match this pattern")

// TestGoTest runs single-file programs of the Go distribution's own tests, in the original
// form and with checks that do nothing. Both forms must print the same and end in the same
// way.
func TestGoTest(t *testing.T) {
	if *goTests == "" {
		t.Skip("needs -splice.gotest")
	}
	root := filepath.Join(runtime.GOROOT(), "test")
	var names []string
	for _, p := range strings.Split(*goTests, ",") {
		m, _ := filepath.Glob(filepath.Join(root, p))
		names = append(names, m...)
	}
	w := stdWorld(t)
	ran := 0
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil || !bytes.HasPrefix(src, []byte("// run\n")) {
			continue
		}
		dir, base := filepath.Split(name)
		plain, _, err := w.build(dir, "", []string{base}, "")
		if err != nil {
			t.Logf("%s: left out: %.200v", base, err) // needs another platform, or flags
			continue
		}
		checked, _, err := w.build(dir, "", []string{base}, silent)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		o1, e1, c1 := run(plain, dir, 20*time.Second)
		if c1 < 0 {
			t.Logf("%s: left out: the plain program does not end in time", base)
			continue
		}
		ran++
		o2, e2, c2 := run(checked, dir, 60*time.Second)
		os.RemoveAll(filepath.Dir(plain))
		os.RemoveAll(filepath.Dir(checked))
		if o1 != o2 || c1 != c2 {
			t.Errorf("%s: exit %d, then %d\n%s\n%s", name, c1, c2, diff(o1, o2), diff(e1, e2))
		}
	}
	t.Logf("%d programs", ran)
}
