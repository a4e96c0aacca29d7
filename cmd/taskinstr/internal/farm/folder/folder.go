package folder

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// MaxSize bounds the files of a packed folder, in bytes.
const MaxSize = 256 << 20

// Pack writes the files of dir to w. Of the folders in dir it takes only testdata. It leaves
// out what is neither a file nor a folder.
func Pack(w io.Writer, dir string) error {
	out := tar.NewWriter(w)
	var size int64
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == ".":
			return nil
		case d.IsDir() && name != "testdata" && !strings.HasPrefix(name, "testdata/"):
			return fs.SkipDir
		case d.IsDir():
			return out.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o755})
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if size += info.Size(); size > MaxSize {
			return fmt.Errorf("%s: the files of the tests are larger than %d MiB, too large to be sent to workers", dir, MaxSize>>20)
		}
		mode := int64(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		if err := out.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: mode, Size: info.Size()}); err != nil {
			return err
		}
		f, err := root.Open(filepath.FromSlash(name))
		if err != nil {
			return err
		}
		defer f.Close()
		if _, err := io.CopyN(out, f, info.Size()); err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return out.Close()
}

// Unpack writes the files of a packed folder below dir, which exists. No file leaves dir,
// whatever r holds.
func Unpack(r io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	in := tar.NewReader(r)
	for size := int64(0); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("the packed folder cannot be read: %w", err)
		}
		name := filepath.FromSlash(strings.TrimSuffix(h.Name, "/"))
		switch {
		case h.Typeflag == tar.TypeDir:
			if err := root.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
		case h.Typeflag != tar.TypeReg:
			return fmt.Errorf("the packed folder holds %q, which is neither a file nor a folder", h.Name)
		default:
			if size += h.Size; size > MaxSize {
				return fmt.Errorf("the packed folder is larger than %d MiB", MaxSize>>20)
			}
			f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fs.FileMode(h.Mode)&0o755)
			if err != nil {
				return err
			}
			_, err = io.Copy(f, in)
			if err := errors.Join(err, f.Close()); err != nil {
				return err
			}
		}
	}
}
