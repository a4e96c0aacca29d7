package toolexec

import (
	"encoding/json"
	"io/fs"
	"os/exec"
	"path"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"

	"taskinstr"
)

// The digest of the sources covers every file of this module that package toolexec is built
// from, on every system.
func TestIdentitySources(t *testing.T) {
	for _, goos := range Systems() {
		cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Module,GoFiles,CgoFiles,SFiles,EmbedFiles", "taskinstr/cmd/taskinstr/internal/toolexec")
		cmd.Env = append(cmd.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for list := json.NewDecoder(strings.NewReader(string(out))); list.More(); {
			var p struct {
				ImportPath                            string
				Module                                *struct{ Main bool }
				GoFiles, CgoFiles, SFiles, EmbedFiles []string
			}
			if err := list.Decode(&p); err != nil {
				t.Fatal(err)
			}
			if p.Module == nil || !p.Module.Main || p.ImportPath == "taskinstr" {
				continue
			}
			n++
			for _, files := range [][]string{p.GoFiles, p.CgoFiles, p.SFiles, p.EmbedFiles} {
				for _, f := range files {
					name := path.Join(strings.TrimPrefix(p.ImportPath, "taskinstr/"), f)
					if _, err := fs.Stat(taskinstr.Source, name); err != nil && !strings.HasSuffix(name, "_test.go") {
						t.Errorf("source.go does not embed %s", name)
					}
				}
			}
		}
		if n < 20 {
			t.Errorf("%s: %d packages", goos, n)
		}
	}
}

func TestSourceID(t *testing.T) {
	dep := debug.Module{Path: "example.com/d", Version: "v1.0.0", Sum: "h1:x"}
	info := func(change func(*debug.BuildInfo)) *debug.BuildInfo {
		d := dep
		i := &debug.BuildInfo{GoVersion: "go1.26.8", Deps: []*debug.Module{&d}, Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}}}
		change(i)
		return i
	}
	sources := fstest.MapFS{"a/a.go": {Data: []byte("package a")}, "a/a_test.go": {Data: []byte("package a")}}
	changed := fstest.MapFS{"a/a.go": {Data: []byte("package a // 2")}, "a/a_test.go": {Data: []byte("package a")}}
	tested := fstest.MapFS{"a/a.go": {Data: []byte("package a")}, "a/a_test.go": {Data: []byte("package a // 2")}}
	same := func(*debug.BuildInfo) {}
	base, ok := sourceID(info(same), sources)
	if !ok {
		t.Fatal("no identity")
	}
	for _, test := range []struct {
		name        string
		change      func(*debug.BuildInfo)
		sources     fs.FS
		equal, none bool
	}{
		{"the commit", func(i *debug.BuildInfo) {
			i.Path = "x"
			i.Settings = append(i.Settings, debug.BuildSetting{Key: "vcs.revision", Value: "1234"}, debug.BuildSetting{Key: "vcs", Value: "git"})
		}, sources, true, false},
		{"a test", same, tested, true, false},
		{"a source", same, changed, false, false},
		{"a setting", func(i *debug.BuildInfo) { i.Settings[0].Value = "darwin" }, sources, false, false},
		{"the Go version", func(i *debug.BuildInfo) { i.GoVersion = "go1.26.9" }, sources, false, false},
		{"a dependency", func(i *debug.BuildInfo) { i.Deps[0].Sum = "h1:y" }, sources, false, false},
		{"a dependency in a folder", func(i *debug.BuildInfo) { i.Deps[0].Replace = &debug.Module{Path: "../d"} }, sources, false, true},
		{"Go without a release", func(i *debug.BuildInfo) { i.GoVersion = "devel go1.28-1234" }, sources, false, true},
	} {
		id, ok := sourceID(info(test.change), test.sources)
		if ok == test.none || !test.none && (id == base) != test.equal {
			t.Errorf("%s: identity %q, %v; before %q", test.name, id, ok, base)
		}
	}
}
