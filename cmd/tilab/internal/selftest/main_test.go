package selftest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runMain runs the command with a new folder for its temporary files, and checks that the
// folder is empty afterwards.
func runMain(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	var out, errs bytes.Buffer
	code = Main(args, &out, &errs)
	left, err := os.ReadDir(tmp)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		if strings.HasPrefix(e.Name(), "tist") {
			t.Errorf("left behind: %s", e.Name())
		}
	}
	return code, out.String(), errs.String()
}

func TestUsageErrors(t *testing.T) {
	for _, tt := range []struct {
		args string
		want string // part of the message
	}{
		{"", "which suite? one of: gorace, gotest"},
		{"nonesuch", `unknown suite "nonesuch"`},
		{"gotest std", "one suite at a time, got: gotest std"},
		{"gotest -frob", "-frob"},
		{"gotest -run=(", "missing closing )"},
		{"gotest -mode=fast", `unknown mode "fast"; one of: plain, race, taskinstr`},
		{"-p 0 gotest", "-p 0"},
		{"gotest -exec=true", "only suite gorace has -exec"},
		{"gorace -exec=", "no command"},
		{"-runs 0 releases", "-runs 0"},
		{"-procs 2,0 releases", `"0" is no number of processors`},
	} {
		code, stdout, stderr := runMain(t, strings.Fields(tt.args)...)
		if code != exitUsage || stdout != "" || !strings.Contains(stderr, tt.want) {
			t.Errorf("tilab %s: exit %d, stdout %q, stderr %q; want 2 and %q", tt.args, code, stdout, stderr, tt.want)
		}
	}
}

func TestHelpNamesEverySuite(t *testing.T) {
	code, stdout, stderr := runMain(t, "-h")
	if code != exitOK || stderr != "" || stdout != helpOf(suite{}) {
		t.Errorf("exit %d, %s", code, stderr)
	}
	for _, s := range suites {
		if !strings.Contains(stdout, s.name) || !strings.Contains(stdout, s.about) {
			t.Errorf("help lacks suite %s:\n%s", s.name, stdout)
		}
		code, stdout, stderr := runMain(t, s.name, "-v", "-h")
		if code != exitOK || stderr != "" || !strings.Contains(stdout, "usage: tilab "+s.name) || !strings.Contains(stdout, s.about) || !strings.Contains(stdout, "-keep") {
			t.Errorf("%s -h: exit %d\n%s%s", s.name, code, stdout, stderr)
		}
	}
}

// writePrograms makes a directory in the form of GOROOT/test.
func writePrograms(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var fakePrograms = map[string]string{
	"args.go":      "// run one two\n\npackage main\n\nimport \"os\"\n\nfunc main() { println(len(os.Args), os.Args[1], os.Args[2]) }\n",
	"sub/fails.go": "// run\n\npackage main\n\nfunc main() { panic(\"as it should\") }\n",
	"other.go":     "// run\n\n//go:build plan9\n\npackage main\n\nfunc main() {}\n",
	"broken.go":    "// run\n\npackage main\n\nfunc main() { undefined() }\n",
	"check.go":     "// errorcheck\n\npackage main\n\nfunc main() {}\n",
	"x.dir/a.go":   "// run\n\npackage main\n\nfunc main() {}\n",
	"tagged.go":    "// run -tags=odd\n\npackage main\n\nfunc main() {}\n",
}

func TestGotestList(t *testing.T) {
	code, stdout, stderr := runMain(t, "gotest", "-list", "-testdir", writePrograms(t, fakePrograms))
	want := "args.go\nbroken.go\nother.go\nsub/fails.go\ntagged.go\n"
	if code != exitOK || stdout != want {
		t.Errorf("exit %d, stderr %q, list:\n%swant:\n%s", code, stderr, stdout, want)
	}
}

func TestGotestRuns(t *testing.T) {
	dir := writePrograms(t, fakePrograms)
	code, stdout, stderr := runMain(t, "-testdir", dir, "gotest", "-mode=plain", "-json", "-run", "args|fails|other|broken")
	var r report
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != exitOK {
		t.Fatalf("exit %d, %v, stderr %q, stdout:\n%s", code, err, stderr, stdout)
	}
	if r.Passed != 2 || r.Failed != 0 || r.Skipped != 2 || r.Suite != "gotest" || r.Tool != "plain" {
		t.Errorf("report: %s", stdout)
	}
	want := map[string]struct {
		status status
		reason string
	}{
		"args.go":      {passed, ""},
		"sub/fails.go": {passed, ""},
		"other.go":     {skipped, "build constraint: //go:build plan9"},
		"broken.go":    {skipped, "does not build uninstrumented: "},
	}
	for _, res := range r.Results {
		if w := want[res.Name]; res.Status != w.status || !strings.HasPrefix(res.Reason, w.reason) {
			t.Errorf("%s: %s %q, want %s %q", res.Name, res.Status, res.Reason, w.status, w.reason)
		}
	}
}

// A tool that breaks every build must not pass.
func TestGotestSeesBrokenTool(t *testing.T) {
	dir := writePrograms(t, map[string]string{"a.go": "// run\n\npackage main\n\nfunc main() {}\n"})
	code, stdout, _ := runMain(t, "gotest", "-testdir", dir, "-toolexec=false")
	if code != exitFailed || !strings.HasSuffix(stdout, "0 passed, 1 failed, 0 skipped\n") {
		t.Errorf("exit %d:\n%s", code, stdout)
	}
	if !strings.Contains(stdout, "failed:\n  a.go: does not build: exit status 1\n") {
		t.Errorf("the failure is not named:\n%s", stdout)
	}
}

func TestGotestLimit(t *testing.T) {
	dir := writePrograms(t, map[string]string{"a.go": "// run\n\npackage main\n\nfunc main() { for {} }\n"})
	_, stdout, _ := runMain(t, "gotest", "-testdir", dir, "-mode=plain", "-timeout=3s", "-v")
	if !strings.Contains(stdout, "uninstrumented: exceeded 3s") || !strings.HasSuffix(stdout, "0 passed, 0 failed, 1 skipped\n") {
		t.Errorf("%s", stdout)
	}
}

func TestMissingTestDir(t *testing.T) {
	h := &harness{tc: &toolchain{GOROOT: t.TempDir(), GOVERSION: "go1.99"}}
	for _, s := range []suite{goraceSuite, gotestSuite, stdSuite} {
		_, err := s.list(t.Context(), h)
		if err == nil || !strings.Contains(err.Error(), "go1.99") || !strings.Contains(err.Error(), h.tc.GOROOT) {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}
