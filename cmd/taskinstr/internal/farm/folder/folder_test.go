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

	"taskinstr/cmd/internal/testfile"
)

// Files beside the sources and below testdata arrive, other folders do not, and times have
// no influence on the bytes.
func TestPack(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	testfile.Tree(t, dir, map[string]string{"a_test.go": "package a", "words.txt": "w", "testdata/x/y.txt": "y", "sub/b.go": "package b"})
	var first, second bytes.Buffer
	if _, err := Pack(&first, dir, "."); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, "words.txt"), time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := Pack(&second, dir, "."); err != nil {
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

// Of the folders above the package those named testdata arrive, and go.mod of the module.
func TestPackModule(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"go.mod", "a.go", "testdata/root.txt", "a/a.go", "a/testdata/deep/a.txt", "a/b/b_test.go", "a/b/testdata/b.txt", "a/c/testdata/c.txt",
		"a/testdata/p/p_test.go", "a/testdata/p/testdata/p.txt"} {
		testfile.Write(t, filepath.Join(root, name), name)
	}
	for dir, want := range map[string]string{
		".":              "a.go go.mod testdata/root.txt",
		"a/b":            "a/b/b_test.go a/b/testdata/b.txt a/testdata/deep/a.txt a/testdata/p/p_test.go a/testdata/p/testdata/p.txt go.mod testdata/root.txt",
		"a/testdata/p":   "a/testdata/deep/a.txt a/testdata/p/p_test.go a/testdata/p/testdata/p.txt go.mod testdata/root.txt",
		"a/c/testdata/.": "",
		"../other":       "",
	} {
		var b bytes.Buffer
		left, err := Pack(&b, root, dir)
		if want == "" {
			if err == nil || !strings.Contains(err.Error(), "is not below") {
				t.Errorf("%s: error %v", dir, err)
			}
			continue
		}
		if err != nil || left != nil {
			t.Fatalf("%s: left %v, error %v", dir, left, err)
		}
		if got := names(t, &b); got != want {
			t.Errorf("%s: %s, want %s", dir, got, want)
		}
	}
}

// A folder above the package that is too large is left out, one in the package is an error.
func TestPackTooLarge(t *testing.T) {
	root := t.TempDir()
	testfile.Tree(t, root, map[string]string{"testdata/small.txt": "s", "a/b/b_test.go": "package b", "a/testdata/large.bin": ""})
	if err := os.Truncate(filepath.Join(root, "a", "testdata", "large.bin"), MaxSize); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	left, err := Pack(&b, root, "a/b")
	if err != nil || strings.Join(left, " ") != "a/testdata" {
		t.Errorf("left %v, error %v", left, err)
	}
	if got, want := names(t, &b), "a/b/b_test.go testdata/small.txt"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	testfile.Write(t, filepath.Join(root, "a/a_test.go"), "package a")
	if _, err := Pack(io.Discard, root, "a"); err == nil || !strings.Contains(err.Error(), "larger than 256 MiB") {
		t.Errorf("error %v", err)
	}
}

// names unpacks a folder and returns the names of its files, in order.
func names(t *testing.T, b *bytes.Buffer) string {
	t.Helper()
	dir := t.TempDir()
	if err := Unpack(bytes.NewReader(b.Bytes()), int64(b.Len()), dir); err != nil {
		t.Fatal(err)
	}
	var list []string
	fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, name)
		}
		return err
	})
	return strings.Join(list, " ")
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
	testfile.Write(t, filepath.Join(dir, "a.txt"), strings.Repeat("a", 3000))
	var b bytes.Buffer
	if _, err := Pack(&b, dir, "."); err != nil {
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
