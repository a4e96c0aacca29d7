package archive

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
)

const member = "taskinstr.facts"

// TestLink compiles a program with the go command's own compiler, adds a member to the
// archive and has the linker and the importer read the result.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		return testfile.Write(t, filepath.Join(dir, name), text)
	}
	goCommand := func(arg ...string) string {
		t.Helper()
		c := exec.Command("go", arg...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(arg, " "), err, out)
		}
		return string(out)
	}
	p := write("p.go", "package p\n\nfunc F() int { return 7 }\n")
	m := write("main.go", "package main\n\nimport \"p\"\n\nfunc main() { if p.F() != 7 { panic(0) } }\n")
	runtime := goCommand("list", "-export", "-deps", "-f", "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}", "runtime")
	lib, main := filepath.Join(dir, "p.a"), filepath.Join(dir, "main.a")
	goCommand("tool", "compile", "-pack", "-p", "p", "-o", lib, p)

	for _, data := range [][]byte{[]byte("odd"), []byte("even"), {}, bytes.Repeat([]byte{7}, 100_001)} {
		file := testfile.Write(t, filepath.Join(dir, "with.a"), testfile.Read(t, lib))
		if err := Append(file, member, data); err != nil {
			t.Fatal(err)
		}
		if err := Append(file, "another.data", []byte("behind it")); err != nil {
			t.Fatal(err)
		}
		if got, err := Read(file, member); err != nil || !bytes.Equal(got, data) || got == nil {
			t.Errorf("%d bytes: read %d bytes, %v", len(data), len(got), err)
		}
		if got, err := Read(file, "another.data"); err != nil || string(got) != "behind it" {
			t.Errorf("the member behind: %q, %v", got, err)
		}
		if got, err := Read(file, "no.data"); err != nil || got != nil {
			t.Errorf("a member that is not there: %q, %v", got, err)
		}
		cfg := write("importcfg", runtime+"packagefile p="+file+"\n")
		goCommand("tool", "compile", "-pack", "-p", "main", "-importcfg", cfg, "-o", main, m)
		goCommand("tool", "link", "-importcfg", cfg, "-o", filepath.Join(dir, "prog"), main)
		if out, err := exec.Command(filepath.Join(dir, "prog")).CombinedOutput(); err != nil {
			t.Errorf("the program: %v\n%s", err, out)
		}
		if list := goCommand("tool", "pack", "t", file); !strings.Contains(list, member) {
			t.Errorf("go tool pack lists %q", list)
		}
	}
}

// TestRefuse has names that the linker would take for code, and damaged files.
func TestRefuse(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.a")
	write := func(text string) {
		t.Helper()
		testfile.Write(t, file, text)
	}
	write(magic)
	for _, name := range []string{"", "x", "x.o", "x.syso", "sixteen.bytes.ok", "a b.c"} {
		if Append(file, name, nil) == nil {
			t.Errorf("%q was taken", name)
		}
	}
	if err := Append(file, member, []byte("facts")); err != nil {
		t.Fatal(err)
	}
	good := testfile.Read(t, file)
	for i := 1; i < len(good)-len("facts "); i++ {
		write(string(good[:i]))
		if i == len(magic) {
			continue // an archive without members
		}
		if data, err := Read(file, member); err == nil {
			t.Errorf("cut at %d: no error, %q", i, data)
		}
	}
	write("no archive")
	if Append(file, member, nil) == nil {
		t.Error("a member was added to a file that is no archive")
	}
}
