package modules

import (
	"bytes"
	"context"
	"errors"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	recipeName = regexp.MustCompile(`^[a-z0-9-]+$`)
	// pinned matches a release or a pseudo-version, which leaves no choice to the proxy.
	pinned = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)
)

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Recipes {
		if !recipeName.MatchString(r.Name) || seen[r.Name] {
			t.Errorf("recipe %q: the name is no word of small letters, or not the only one", r.Name)
		}
		seen[r.Name] = true
		for _, at := range append([]string{r.at()}, r.Also...) {
			module, version, ok := strings.Cut(at, "@")
			if !ok || module == "" || !pinned.MatchString(version) {
				t.Errorf("%s: %s is no module at one version", r.Name, at)
			}
		}
		if k := r.Group(); k != Modules && k != Codecs {
			t.Errorf("%s: there is no kind %s", r.Name, k)
		}
		for _, tag := range r.Tags {
			if !recipeName.MatchString(tag) || tag == "race" {
				t.Errorf("%s: %q is no tag of the module's own", r.Name, tag)
			}
		}
		if r.Tests == nil {
			continue
		}
		if _, err := r.driver(); err == nil || len(r.Also) > 0 {
			t.Errorf("%s has both tests and a driver", r.Name)
		}
		for _, f := range r.Tests.Flags {
			name, value, _ := strings.Cut(f, "=")
			switch name {
			case "-test.run", "-test.skip":
				if _, err := regexp.Compile(value); err != nil {
					t.Errorf("%s: %v", r.Name, err)
				}
			case "-test.count":
				if _, err := strconv.Atoi(value); err != nil {
					t.Errorf("%s: %v", r.Name, err)
				}
			default:
				t.Errorf("%s: flag %s is none that a test binary of every release knows", r.Name, f)
			}
		}
		if dir := r.Tests.Package; dir != filepath.ToSlash(filepath.Clean(dir)) || !filepath.IsLocal(dir) {
			t.Errorf("%s: %q is no folder of the module", r.Name, dir)
		}
	}
}

// Each driver belongs to a recipe, is formatted, has a comment, and imports the module.
func TestDrivers(t *testing.T) {
	files, err := drivers.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range Recipes {
		if r.Tests == nil {
			n++
			checkDriver(t, r)
		}
	}
	if n+1 != len(files) { // and the folder of common files
		t.Errorf("%d recipes have drivers, and testdata has %d files", n, len(files)-1)
	}
}

func checkDriver(t *testing.T, r Recipe) {
	text, err := r.driver()
	if err != nil {
		t.Errorf("%s: %v", r.Name, err)
		return
	}
	f, err := parser.ParseFile(token.NewFileSet(), r.Name+".go", text, parser.ParseComments)
	if err != nil {
		t.Errorf("%s: %v", r.Name, err)
		return
	}
	if tidy, err := format.Source(text); err != nil || !bytes.Equal(tidy, text) {
		t.Errorf("testdata/%s.go is not formatted; run gofmt -w on it (%v)", r.Name, err)
	}
	if f.Name.Name != "main" || !strings.HasPrefix(f.Doc.Text(), "Command "+r.Name+" ") {
		t.Errorf("testdata/%s.go does not begin with \"Command %s\" and what it does", r.Name, r.Name)
	}
	if !imports(f, r.Module) {
		t.Errorf("testdata/%s.go does not import %s", r.Name, r.Module)
	}
}

// imports reports whether f imports a package of module.
func imports(f *ast.File, module string) bool {
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		if path == module || strings.HasPrefix(path, module+"/") {
			return true
		}
	}
	return false
}

// Each recipe is of one kind.
func TestOf(t *testing.T) {
	all, codecs := Of(Modules), Of(Codecs)
	if len(all)+len(codecs) != len(Recipes) || len(codecs) < 8 {
		t.Errorf("%d modules and %d codecs of %d recipes", len(all), len(codecs), len(Recipes))
	}
	if len(Of("none")) > 0 {
		t.Error("there are recipes of a kind that does not exist")
	}
}

func TestAddTags(t *testing.T) {
	for _, tt := range []struct{ flags, tags, want string }{
		{"-race", "", "-race"},
		{"-race", "noasm", "-race -tags=noasm"},
		{"-toolexec=x -tags=race -v", "noasm purego", "-toolexec=x -tags=race,noasm,purego -v"},
	} {
		flags := strings.Fields(tt.flags)
		if got := strings.Join(addTags(flags, strings.Fields(tt.tags)), " "); got != tt.want {
			t.Errorf("%s with tags %s: %s, want %s", tt.flags, tt.tags, got, tt.want)
		}
		if got := strings.Join(flags, " "); got != tt.flags {
			t.Errorf("the caller's flags became %s", got)
		}
	}
}

func TestFind(t *testing.T) {
	if r, err := Find("raft"); err != nil || r.Module != "go.etcd.io/raft/v3" {
		t.Errorf("raft: %v, %v", r, err)
	}
	if _, err := Find("ruft"); err == nil || !strings.Contains(err.Error(), "ruft") {
		t.Errorf("ruft: %v", err)
	}
}

// fakeHost answers the go command without a network.
func fakeHost(t *testing.T, answer func(args []string) ([]byte, error)) *Host {
	return &Host{Go: "go", Dir: t.TempDir(), Exec: func(ctx context.Context, dir string, args ...string) ([]byte, error) {
		return answer(args[1:])
	}}
}

// The error for a module that cannot be fetched contains the go command's message. No
// folder remains.
func TestNotFetched(t *testing.T) {
	for _, name := range []string{"raft", "nats"} { // tests and a driver
		r, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		h := fakeHost(t, func(args []string) ([]byte, error) {
			switch args[0] + " " + args[1] {
			case "mod init":
				return nil, nil
			case "mod download":
				return []byte(`{"Error": "no route to the proxy"}`), errors.New("exit status 1")
			}
			return []byte("no route to the proxy"), errors.New("exit status 1")
		})
		_, err = h.Prepare(t.Context(), r)
		if err == nil || !strings.Contains(err.Error(), r.at()) || !strings.Contains(err.Error(), "no route to the proxy") {
			t.Errorf("%s: %v", name, err)
		}
		if list, err := os.ReadDir(h.Dir); err != nil || len(list) > 0 {
			t.Errorf("%s: %v is left, %v", name, list, err)
		}
	}
}

func TestBuild(t *testing.T) {
	cache := t.TempDir()
	if err := os.WriteFile(filepath.Join(cache, "skl_test.go"), []byte("package skl\n"), 0o444); err != nil {
		t.Fatal(err)
	}
	var built []string
	h := fakeHost(t, func(args []string) ([]byte, error) {
		if args[0] == "mod" {
			return []byte(`{"Dir": ` + strconv.Quote(cache) + `}`), nil
		}
		built = args
		return nil, nil
	})
	r, err := Find("badger-skl")
	if err != nil {
		t.Fatal(err)
	}
	s, err := h.Prepare(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Build(t.Context(), "race", "-race")
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(h.Dir, "badger-skl", "recipe-race.exe")
	if got, want := strings.Join(built, " "), "test -c -vet=off -mod=mod -o "+exe+" -race ./skl"; got != want {
		t.Errorf("go %s, want go %s", got, want)
	}
	if got, want := strings.Join(p.Args, " "), exe+" -test.short -test.timeout=5m0s -test.skip=BigValues -test.count=5"; got != want {
		t.Errorf("the program is %s, want %s", got, want)
	}
	if want := filepath.Join(h.Dir, "badger-skl", "skl"); p.Dir != want {
		t.Errorf("the program runs in %s, want %s", p.Dir, want)
	}
	if _, err := os.Stat(filepath.Join(h.Dir, "badger-skl", "skl_test.go")); err != nil {
		t.Error(err)
	}
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
}
