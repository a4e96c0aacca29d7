package toolexec

import "testing"

func TestTrimmer(t *testing.T) {
	trim := trimmer("/w/b1=>;/src/p=>example.com/p;/only")
	for name, want := range map[string]string{
		"/w/b1/_cgo_gotypes.go": "_cgo_gotypes.go",
		"/w/b12/x.go":           "/w/b12/x.go",
		"/src/p/x.go":           "example.com/p/x.go",
		"/src/p":                "example.com/p",
		"/src/pp/x.go":          "/src/pp/x.go",
		"/only/x.go":            "x.go",
		"x.go":                  "x.go",
	} {
		if got := trim(name); got != want {
			t.Errorf("%s becomes %s, want %s", name, got, want)
		}
	}
	if got := trimmer("")("/a/b.go"); got != "/a/b.go" {
		t.Errorf("without rules: %s", got)
	}
}
