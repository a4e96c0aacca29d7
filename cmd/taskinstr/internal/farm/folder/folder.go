package folder

import (
	"archive/zip"
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
	out := zip.NewWriter(w)
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
			_, err := out.CreateHeader(header(name+"/", fs.ModeDir|0o755))
			return err
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
		mode := fs.FileMode(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		file, err := out.CreateHeader(header(name, mode))
		if err != nil {
			return err
		}
		f, err := root.Open(filepath.FromSlash(name))
		if err != nil {
			return err
		}
		defer f.Close()
		if _, err := io.CopyN(file, f, info.Size()); err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return out.Close()
}

// header returns the header of a file or folder. It has no time.
func header(name string, mode fs.FileMode) *zip.FileHeader {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate}
	h.SetMode(mode)
	return h
}

// Unpack writes the files of a packed folder of size bytes below dir, which exists. No file leaves dir,
// whatever r holds.
func Unpack(r io.ReaderAt, size int64, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	in, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // root refuses paths out of dir
		return fmt.Errorf("the packed folder cannot be read: %w", err)
	}
	left := int64(MaxSize)
	for _, f := range in.File {
		name := filepath.FromSlash(strings.TrimSuffix(f.Name, "/"))
		switch mode := f.Mode(); {
		case mode.IsDir():
			if err := root.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
		case !mode.IsRegular():
			return fmt.Errorf("the packed folder holds %q, which is neither a file nor a folder", f.Name)
		default:
			n, err := unpackFile(root, name, f, left)
			if left -= n; err != nil {
				return err
			}
		}
	}
	return nil
}

// unpackFile writes one file of at most left bytes, and returns its size.
func unpackFile(root *os.Root, name string, f *zip.File, left int64) (int64, error) {
	text, err := f.Open()
	if err != nil {
		return 0, fmt.Errorf("the packed folder cannot be read: %w", err)
	}
	defer text.Close()
	out, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.Mode().Perm()&0o755)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(out, io.LimitReader(text, left+1)) // what the header says of the size may be wrong
	if err = errors.Join(err, out.Close()); err != nil {
		return n, fmt.Errorf("the packed folder cannot be read: %w", err)
	}
	if n > left {
		return n, fmt.Errorf("the packed folder is larger than %d MiB", MaxSize>>20)
	}
	return n, nil
}
