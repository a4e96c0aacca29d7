package toolexec

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
	"taskinstr/cmd/taskinstr/internal/archive"
	"taskinstr/internal/site"
	"taskinstr/internal/splice"
)

// TestFinals: the linker gets a flag for each type on which a package relies and whose values another one overwrites, and for all
// of them if there is a package of which nothing is known.
func TestFinals(t *testing.T) {
	plan := func(overwrites []string, final ...string) *splice.Plan {
		p := &splice.Plan{Fates: map[site.Key]splice.Fate{}, Overwrites: overwrites}
		for i, name := range final {
			p.Fates[site.Key{Line: i}] = splice.Fate{Final: name}
			p.Fates[site.Key{Line: i + 10}] = splice.Fate{Omit: true}
		}
		return p
	}
	none := []string{}
	for _, tt := range []struct {
		name  string
		plans map[string]*splice.Plan // by path
		want  string
	}{
		{"nobody", map[string]*splice.Plan{"a/b.c": plan(none, "T", "U"), "main": plan([]string{"a/b.c.V", "x.T"})}, ""},
		{"one", map[string]*splice.Plan{"a/b.c": plan(none, "T", "U"), "main": plan([]string{"a/b.c.U"}, "U")}, "-X a/b.c._ti_final_U=1"},
		{"an unknown package", map[string]*splice.Plan{"a": plan(none, "T"), "b": nil}, "-X a._ti_final_T=1"},
		{"a package without analysis", map[string]*splice.Plan{"a": plan(none, "T"), "b": plan(nil)}, "-X a._ti_final_T=1"},
		{"the runtime", map[string]*splice.Plan{"a": plan(none, "T"), "runtime": nil}, ""},
	} {
		dir, cfg := t.TempDir(), "# import config\n"
		for path, p := range tt.plans {
			file := filepath.Join(dir, site.Digest([]byte(path)))
			testfile.Write(t, file, "!<arch>\n")
			for _, m := range finalMembers(path, p) {
				if err := archive.Append(file, m.Name, m.Data); err != nil {
					t.Fatal(err)
				}
			}
			cfg += fmt.Sprintf("packagefile %s=%s\n", path, file)
		}
		got, err := setFinals([]string{"-o", "x"}, []byte(cfg))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(got, " "); got != strings.TrimSpace(tt.want+" -o x") {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
