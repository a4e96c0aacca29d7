package schedulefile

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const record = "taskinstr schedule 1\nstrategy random:7\nseed 7\npoints all\nmain 3\nmain.1\nexit\n# graph 00\n"

func TestFile(t *testing.T) {
	f := &File{Kind: "race", Fingerprint: "01", Title: "write of x,\nread of x", Package: "p", Test: "TestX", Run: "^TestX$", Args: []string{"-test.short"},
		Build: []string{"-tags=a"}, Options: "predicted=all", Binary: "sha256:00", Exe: "p.test", Dir: "/p", Record: record}
	name := filepath.Join(t.TempDir(), "x.schedule")
	if err := f.Write(name); err != nil {
		t.Fatal(err)
	}
	got, err := Read(name)
	if err == nil && (got.Line(4) != 4 || got.Line(5) != 6) {
		t.Errorf("lines 4 and 5 of the record are lines %d and %d of the file", got.Line(4), got.Line(5))
	}
	f.header = 5
	if err != nil || !reflect.DeepEqual(got, f) {
		t.Errorf("read %+v, %v", got, err)
	}
	text, _ := f.Text()
	if !strings.Contains(text, "points all\n# finding {") {
		t.Errorf("the comment is not behind the head, where a replay skips it:\n%s", text)
	}
	for n := range len(text) - 1 {
		if _, err := parse(text[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes pass for the file", n, len(text))
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":     "no schedule",
		record: "does not say which test",
		"taskinstr schedule 1\n# finding {\n# end\n": "damaged",
		"taskinstr schedule 1\n# finding {}\nmain\n": "cut short",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
