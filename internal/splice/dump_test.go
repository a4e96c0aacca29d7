package splice

import (
	"flag"
	"path/filepath"
	"testing"

	"taskinstr/internal/golist"
)

var dump = flag.String("splice.dump", "", "print the rewritten form of this single-file program")

// TestDump prints the rewritten form of a program and compares it with its sites.
func TestDump(t *testing.T) {
	if *dump == "" {
		t.Skip("needs -splice.dump")
	}
	w := stdWorld(t)
	dir, base := filepath.Split(*dump)
	c, err := w.check(&golist.Package{ImportPath: "main", Name: "main", Dir: dir, GoFiles: []string{base}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Package(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s\n%s", r.Files[0], r.Generated)
	listsSites(t, c, r)
}
