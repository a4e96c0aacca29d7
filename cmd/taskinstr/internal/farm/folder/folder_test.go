package folder

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Files beside the sources and below testdata arrive, other folders do not, and times have
// no influence on the bytes.
func TestPack(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"a_test.go": "package a", "words.txt": "w", "testdata/x/y.txt": "y", "sub/b.go": "package b"} {
		write(t, dir, name, text)
	}
	var first, second bytes.Buffer
	if err := Pack(&first, dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, "words.txt"), time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if err := Pack(&second, dir); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the time of a file changes the packed folder")
	}
	if err := Unpack(bytes.NewReader(first.Bytes()), int64(first.Len()), other); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a_test.go": "package a", "words.txt": "w", "testdata/x/y.txt": "y"} {
		if text, err := os.ReadFile(filepath.Join(other, name)); err != nil || string(text) != want {
			t.Errorf("%s holds %q, error %v", name, text, err)
		}
	}
	if _, err := os.Stat(filepath.Join(other, "sub")); err == nil {
		t.Error("a folder of another package is packed")
	}
}

// A packed folder cannot write outside of the folder into which it is unpacked.
func TestUnpackOutside(t *testing.T) {
	for _, test := range []struct {
		name string
		mode fs.FileMode
		want string
	}{
		{"../out", 0o644, "escapes"},
		{"/out", 0o644, "escapes"},
		{"link", fs.ModeSymlink | 0o777, "neither a file nor a folder"},
	} {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		out, err := w.CreateHeader(header(test.name, test.mode))
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(out, "/etc") // where the link leads
		w.Close()
		dir := filepath.Join(t.TempDir(), "in")
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := Unpack(bytes.NewReader(b.Bytes()), int64(b.Len()), dir); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "..", "out")); len(left) > 0 {
			t.Errorf("%s was written outside", test.name)
		}
	}
}

// A truncated folder is an error that says so.
func TestUnpackTruncated(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.txt", strings.Repeat("a", 3000))
	var b bytes.Buffer
	if err := Pack(&b, dir); err != nil {
		t.Fatal(err)
	}
	if err := Unpack(bytes.NewReader(b.Bytes()[:b.Len()/2]), int64(b.Len()/2), t.TempDir()); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("error %v", err)
	}
}

// What a packed folder unpacks to is bounded, whatever its headers say.
func TestUnpackTooLarge(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	out, err := w.CreateHeader(header("zeros", 0o644))
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(out, strings.Repeat("0", 5000))
	w.Close()
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := unpackFile(root, "zeros", r.File[0], 4999); err == nil || !strings.Contains(err.Error(), "larger than 256 MiB") {
		t.Errorf("error %v", err)
	}
	if n, err := unpackFile(root, "zeros2", r.File[0], 5000); err != nil || n != 5000 {
		t.Errorf("%d bytes, error %v", n, err)
	}
}
