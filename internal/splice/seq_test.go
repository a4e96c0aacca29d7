package splice

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected sequences of testdata/seq")

// TestSequences runs the programs in testdata/seq. Each is an archive of these files:
// main.go; optionally lang, a language version; optionally branches, the notes on each if
// statement, which makes the rewriter record the accesses of the other sides of branches;
// and checks, the lines that the program and its checks print to standard error, in order.
// A check prints R or W, the number of bytes, and the expression. The standard output of
// the program must not depend on the checks.
func TestSequences(t *testing.T) {
	names, err := filepath.Glob("testdata/seq/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	w := stdWorld(t)
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]*txtar.File{}
			for i := range ar.Files {
				files[ar.Files[i].Name] = &ar.Files[i]
			}
			if files["main.go"] == nil || files["checks"] == nil {
				t.Fatal("needs main.go and checks")
			}
			lang := ""
			if l := files["lang"]; l != nil {
				lang = string(bytes.TrimSpace(l.Data))
			}
			w.branches = files["branches"] != nil
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "main.go"), files["main.go"].Data, 0o666); err != nil {
				t.Fatal(err)
			}
			plain, _, err := w.build(dir, lang, false)
			if err != nil {
				t.Fatal(err)
			}
			checked, res, err := w.build(dir, lang, true)
			if err != nil {
				if res != nil {
					t.Logf("%s", res.Files[0])
				}
				t.Fatal(err)
			}
			o1, e1, c1 := run(plain, dir, 10*time.Second)
			o2, e2, c2 := run(checked, dir, 10*time.Second)
			if o1 != o2 || c1 != c2 || c1 != 0 {
				t.Errorf("plain ends with %d, checked with %d\n%s\n%s\n%s", c1, c2, diff(o1, o2), e1, e2)
			}
			if f := files["branches"]; f != nil {
				var notes bytes.Buffer
				for _, n := range res.Branches {
					fmt.Fprintf(&notes, "%d recorded %d", n.Line, n.Recorded)
					for _, why := range n.Left {
						fmt.Fprintf(&notes, "; %s", why)
					}
					notes.WriteByte('\n')
				}
				if want := string(f.Data); want != notes.String() {
					if !*update {
						t.Errorf("notes: %s", diff(want, notes.String()))
					}
					f.Data = notes.Bytes()
				}
			}
			if want := string(files["checks"].Data); want != e2 || *update {
				if *update {
					files["checks"].Data = []byte(e2)
					if err := os.WriteFile(name, txtar.Format(ar), 0o666); err != nil {
						t.Fatal(err)
					}
					return
				}
				t.Errorf("checks: %s\n\nrewritten source:\n%s", diff(want, e2), res.Files[0])
			}
		})
	}
}
