package releases

import (
	"archive/zip"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"taskinstr/benchmarks/modules"
)

// counter is a module with a race, and its fix with a test.
const counter = `
-- v1.0.0/go.mod --
module example.com/counter

go 1.21
-- v1.0.0/sub/n.go --
package sub

type N struct{ n int }

func (c *N) Add() { c.n++ }
-- v1.0.1/go.mod --
module example.com/counter

go 1.21
-- v1.0.1/sub/n.go --
package sub

import "sync"

type N struct {
	mu sync.Mutex
	n  int
}

func (c *N) Add() {
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
}
-- v1.0.1/sub/n_test.go --
package sub

import "testing"

func TestAdd(t *testing.T) {
	c, done := new(N), make(chan bool)
	go func() {
		c.Add()
		done <- true
	}()
	c.Add()
	<-done
}
`

const upstreamRecipe = `module example.com/counter
before v1.0.0
after v1.0.1
kind field
fixed 1.0.1
in sub/n.go
upstream sub/n_test.go
test ^TestAdd$

Add had no lock.
`

// The program of our own ends while a task may still run.
const ownRecipe = `module example.com/counter
before v1.0.0
after v1.0.1
kind exit
fixed 1.0.1
in sub/n.go

Add had no lock.
-- main.go --
package main

import (
	"time"

	"example.com/counter/sub"
)

func main() {
	c := new(sub.N)
	go c.Add()
	c.Add()
	time.Sleep(100 * time.Millisecond)
}
`

// proxy lays the versions of a module out as a module proxy's folder.
func proxy(t *testing.T, module, archive string) (dir string) {
	dir = t.TempDir()
	versions := map[string][]txtar.File{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		v, name, _ := strings.Cut(f.Name, "/")
		versions[v] = append(versions[v], txtar.File{Name: name, Data: f.Data})
	}
	for v, files := range versions {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		mod := []byte(nil)
		for _, f := range files {
			w, err := z.Create(module + "@" + v + "/" + f.Name)
			if err != nil {
				t.Fatal(err)
			}
			w.Write(f.Data)
			if f.Name == "go.mod" {
				mod = f.Data
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		base := filepath.Join(dir, filepath.FromSlash(module), "@v", v)
		for name, text := range map[string][]byte{base + ".zip": b.Bytes(), base + ".mod": mod, base + ".info": []byte(`{"Version":"` + v + `"}`)} {
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// newHost returns a host whose module proxy has this module only.
func newHost(t *testing.T) *Host {
	env := append(os.Environ(),
		"GOPROXY=file://"+filepath.ToSlash(proxy(t, "example.com/counter", counter)),
		"GOMODCACHE="+t.TempDir(), "GOSUMDB=off", "GOFLAGS=-modcacherw", "GOWORK=off", "GOTOOLCHAIN=local")
	command := func(ctx context.Context, dir string, more []string, args []string) ([]byte, *exec.Cmd, error) {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir, cmd.Env = dir, append(slices.Clip(env), more...)
		out, err := cmd.CombinedOutput()
		return out, cmd, err
	}
	return &Host{
		Host: &modules.Host{Go: "go", Dir: t.TempDir(), Exec: func(ctx context.Context, dir string, args ...string) ([]byte, error) {
			out, _, err := command(ctx, dir, nil, args)
			return out, err
		}},
		Run: func(ctx context.Context, dir string, env []string, args ...string) Outcome {
			out, cmd, err := command(ctx, dir, env, args)
			return Outcome{Output: out, OK: err == nil, Status: cmd.ProcessState.String()}
		},
	}
}

// TestCases runs both kinds of exposing programs, from the download of the module to the
// verdict, with go's own -race as the tool under test.
func TestCases(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with -race")
	}
	if _, err := exec.LookPath("gcc"); err != nil || os.Getenv("CGO_ENABLED") == "0" {
		t.Skip("-race needs a C compiler")
	}
	race := Tool{"race", []string{"-race"}}
	for name, text := range map[string]string{"upstream": upstreamRecipe, "own": ownRecipe} {
		t.Run(name, func(t *testing.T) {
			r, err := parse(name, []byte(text), Kinds)
			if err != nil {
				t.Fatal(err)
			}
			h := newHost(t)
			for _, c := range Cases([]*Release{r}) {
				res, err := h.Test(t.Context(), c, race, nil, Plan{Runs: 2, Procs: []int{2}})
				if err != nil {
					t.Fatal(err)
				}
				want := Count{Procs: 2, Runs: 2, Race: 2}
				if c.Fixed {
					want.Race = 0
				}
				if got := res.Ours.Counts; len(got) != 1 || got[0] != want || !res.OK {
					t.Errorf("%v: %+v, %s, want %+v", c, got, res.Text, want)
				}
			}
			left, err := os.ReadDir(h.Dir)
			if err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

func TestCaseErrors(t *testing.T) {
	h := newHost(t)
	plain := Tool{Name: "plain"}
	for _, tt := range []struct{ recipe, old, new, want string }{
		{ownRecipe, "v1.0.0", "v1.9.0", "cannot fetch example.com/counter@v1.9.0 "},
		{ownRecipe, "c.Add()", "c.Sub()", "does not build with plain: exit status 1\n"},
		{upstreamRecipe, "n_test.go", "none_test.go", "none_test.go"},
	} {
		r, err := parse("errors", []byte(strings.ReplaceAll(tt.recipe, tt.old, tt.new)), Kinds)
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.Test(t.Context(), Case{r, false}, plain, nil, Plan{Runs: 1, Procs: []int{1}})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s for %s: %v, want %q", tt.new, tt.old, err, tt.want)
		}
	}
}
