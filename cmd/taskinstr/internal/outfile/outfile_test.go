package outfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func put(text string, err error) func(io.Writer) error {
	return func(w io.Writer) error {
		if _, e := io.WriteString(w, text); e != nil {
			return e
		}
		return err
	}
}

// A failure leaves the earlier file, and nothing else.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	if err := Write(name, put("one", nil)); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := Write(name, put("two", broken)); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	text, err := os.ReadFile(name)
	list, _ := os.ReadDir(dir)
	if err != nil || string(text) != "one" || len(list) != 1 {
		t.Errorf("%q, %v, %d files", text, err, len(list))
	}
	if err := Write(filepath.Join(dir, "no", "out"), put("x", nil)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that does not exist: %v", err)
	}
	if err := Write(dir, put("x", nil)); err == nil {
		t.Error("a folder is written")
	}
	if err := Write(os.DevNull, put("x", nil)); err != nil {
		t.Errorf("%s: %v", os.DevNull, err)
	}
}

// A link stays a link.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := Write(link, put("new", nil)); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(target); string(text) != "new" {
		t.Errorf("the target of the link has %q", text)
	}
}
