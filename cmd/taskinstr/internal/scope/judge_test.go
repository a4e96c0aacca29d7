package scope

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	root := t.TempDir()
	pkgs := []Package{
		{Path: "runtime", Dir: "/go/src/runtime", Std: true},
		{Path: "fmt", Dir: "/go/src/fmt", Std: true},
		{Path: "example.com/m", Dir: root, Main: true},
		{Path: "example.com/m/a", Dir: filepath.Join(root, "a"), Main: true},
		{Path: "example.com/m/a/b", Dir: filepath.Join(root, "a", "b"), Main: true},
		{Path: "example.com/v", Dir: filepath.Join(root, "vendor", "example.com", "v")},
	}
	for _, test := range []struct {
		patterns, dir       string
		unmatched, selected string
		checked             int
	}{
		{"./...", ".", "", "example.com/m example.com/m/a example.com/m/a/b example.com/v", 4},
		{"./...", "a", "", "example.com/m/a example.com/m/a/b", 2},
		{".,../a/b", "a", "", "example.com/m/a example.com/m/a/b", 2},
		{"./a...", ".", "", "example.com/m/a example.com/m/a/b", 2},
		{"./nosuch,fmt,./nosuch", ".", "./nosuch", "fmt", 1},
		{"./x,example.com/m/nosuch", ".", "./x example.com/m/nosuch", "", 0},
		{"runtime", ".", "", "runtime", 0},
		{"std", ".", "", "runtime fmt", 1},
		{"work", ".", "", "example.com/m example.com/m/a example.com/m/a/b", 3},
		{"example.com/m/...", ".", "", "example.com/m example.com/m/a example.com/m/a/b", 3},
		{"...a", ".", "", "example.com/m/a", 1},
	} {
		v := Judge(strings.Split(test.patterns, ","), pkgs, ByFolder(filepath.Join(root, test.dir)))
		var selected []string
		for _, p := range v.Selected {
			selected = append(selected, p.Path)
		}
		if got := strings.Join(selected, " "); got != test.selected || strings.Join(v.Unmatched, " ") != test.unmatched || v.Checked != test.checked {
			t.Errorf("%s in %s: selected %q, unmatched %q, %d checked; want %q, %q, %d", test.patterns, test.dir, got, v.Unmatched, v.Checked, test.selected, test.unmatched, test.checked)
		}
		if err := v.Err(); (err == nil) != (test.unmatched == "") || err != nil && !strings.Contains(err.Error(), strings.Join(v.Unmatched, ", ")) {
			t.Errorf("%s: error %v", test.patterns, err)
		}
	}
	s, err := New("", []string{"fmt", "example.com/m/...", "example.com/w"})
	if err != nil {
		t.Fatal(err)
	}
	v := Judge([]string{"fmt", "example.com/m/...", "example.com/w"}, pkgs, s.ByPath())
	if len(v.Selected) != 4 || len(v.Unmatched) != 1 || v.Unmatched[0] != "example.com/w" || v.Checked != 4 {
		t.Errorf("by import path: %+v", v)
	}
}
