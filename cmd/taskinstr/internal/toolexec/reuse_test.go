package toolexec

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/cmd/internal/option"
)

// A compilation with an equal input takes the stored output, which is the output that the
// compiler would have made, under its own build ID. Another input is compiled.
func TestReuse(t *testing.T) {
	out, err := exec.Command("go", "tool", "-n", "compile").Output()
	if err != nil {
		t.Fatal(err)
	}
	tool := strings.TrimSpace(string(out))
	stored := t.TempDir()
	// compile returns the outputs, and whether they come from the stored ones.
	compile := func(id, text string, flags ...string) (archive, header []byte, restored bool) {
		t.Helper()
		work := t.TempDir()
		src, cfg := filepath.Join(work, "p.go"), filepath.Join(work, "importcfg")
		for name, text := range map[string]string{src: text, cfg: "# import config\n"} {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv(option.ReuseVar, stored)
		args := append([]string{"-o", filepath.Join(work, "p.a"), "-trimpath", work + "=>", "-p", "x/p", "-std",
			"-buildid", id, "-importcfg", cfg, "-asmhdr", filepath.Join(work, "go_asm.h"), "-pack"}, flags...)
		c := parseCall(tool, append(args, src))
		_, err := os.Stat(reuseOf(c, c.flags, c.files).entry)
		if err := original(c, io.Discard, os.Stderr); err != nil {
			t.Fatal(err)
		}
		archive, e := os.ReadFile(c.set["o"])
		if e != nil {
			t.Fatal(e)
		}
		header, e = os.ReadFile(c.set["asmhdr"])
		if e != nil {
			t.Fatal(e)
		}
		return archive, header, err == nil
	}
	const text, other = "package p\n\nconst C = 7\n\nfunc F() int { return C }\n", "package p\n\nconst C = 8\n\nfunc F() int { return C }\n"
	if _, _, restored := compile("aaaa/aaaa", text); restored {
		t.Fatal("the first compilation finds a stored output")
	}
	again, header, restored := compile("bbbb/bbbb", text)
	if !restored {
		t.Fatal("an equal input is compiled")
	}
	if bytes.Contains(again, []byte("aaaa")) || !bytes.Contains(again, []byte("bbbb/bbbb")) || !bytes.Contains(header, []byte("const_C 7")) {
		t.Errorf("the stored output has another build ID, or its header is missing: %q", header)
	}
	stored = t.TempDir()
	fresh, freshHeader, restored := compile("bbbb/bbbb", text)
	if restored || !bytes.Equal(again, fresh) || !bytes.Equal(header, freshHeader) {
		t.Error("the stored output differs from that of the compiler")
	}
	if _, _, restored := compile("cccc/cccc", other); restored {
		t.Error("another text finds a stored output")
	}
	if _, _, restored := compile("cccc/cccc", text, "-N"); restored {
		t.Error("another flag finds a stored output")
	}
	t.Setenv("GOAMD64", "v3")
	if _, _, restored := compile("cccc/cccc", text); restored {
		t.Error("another environment finds a stored output")
	}
}

// An imported package counts by its content: the name of its file and the first part of
// its build ID differ between builds.
func TestReuseImports(t *testing.T) {
	dir := t.TempDir()
	digest := func(name, id string) (string, error) {
		t.Helper()
		archive, cfg := filepath.Join(dir, name), filepath.Join(dir, "importcfg")
		for name, text := range map[string]string{
			archive: "!<arch>\n__.PKGDEF\ngo object linux amd64\nbuild id \"" + id + "\"\n\n",
			cfg:     "importmap a=b\npackagefile x/q=" + archive + "\n",
		} {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var w bytes.Buffer
		err := digestImports(&w, cfg)
		return w.String(), err
	}
	a, err := digest("a.a", "first/content")
	if err != nil {
		t.Fatal(err)
	}
	if b, err := digest("b.a", "second/content"); err != nil || a != b {
		t.Errorf("equal contents differ: %v\n%s%s", err, a, b)
	}
	if b, err := digest("a.a", "first/changed"); err != nil || a == b {
		t.Errorf("another content is equal: %v\n%s", err, b)
	}
	if _, err := digest("a.a", "first/first"); err == nil {
		t.Error("no error for a build ID without the content")
	}
}
