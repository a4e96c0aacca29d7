package folder

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// MaxSize bounds the files of a packed folder, in bytes.
const MaxSize = 256 << 20

// goMod marks the folder of a module. Tests look for it to find that folder.
const goMod = "go.mod"

// Pack writes the files that tests of a package may read to w. dir is the package's folder, seen from its module's folder root, with
// slashes. Of the package's folder Pack takes the files and the folder testdata, of those above it, up to root, the folder testdata alone, and
// of root go.mod as well. It leaves out what is neither a file nor a folder. A folder testdata above the package with
// which the files would get larger than MaxSize is left out, too, and returned.
func Pack(w io.Writer, root, dir string) (left []string, err error) {
	if !fs.ValidPath(dir) {
		return nil, fmt.Errorf("the package's folder %s is not below %s", dir, root)
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	p := &packer{out: zip.NewWriter(w), root: r, written: map[string]bool{}}
	above := ancestors(dir)
	for _, d := range append(above[:len(above):len(above)], dir) {
		if d != "." {
			if err := p.folder(d); err != nil {
				return nil, err
			}
		}
	}
	if err := p.tree(dir, true); err != nil {
		return nil, err
	}
	for _, d := range slices.Backward(above) { // the nearest one first
		data := path.Join(d, testdata)
		info, err := r.Lstat(filepath.FromSlash(data))
		if err != nil || !info.IsDir() {
			continue
		}
		size, err := p.size(data)
		if err != nil {
			return nil, err
		}
		if p.total+size > MaxSize {
			left = append(left, data)
			continue
		}
		if err := p.tree(data, false); err != nil {
			return nil, err
		}
	}
	if info, err := r.Lstat(goMod); dir != "." && err == nil && info.Mode().IsRegular() {
		if err := p.file(goMod, info); err != nil {
			return nil, err
		}
	}
	return left, p.out.Close()
}

// testdata is the name of the folders that the go command leaves to tests.
const testdata = "testdata"

// ancestors returns the folders above dir, the outermost one, which is ".", first.
func ancestors(dir string) (list []string) {
	for dir != "." {
		dir = path.Dir(dir)
		list = append(list, dir)
	}
	slices.Reverse(list)
	return list
}

// A packer writes files of a module.
type packer struct {
	out   *zip.Writer
	root  *os.Root
	total int64 // the size of the files so far, in bytes

	written map[string]bool // files and folders: a package may be below a folder testdata itself
}

// tree writes the files of dir. With top set it takes only testdata of the folders in dir, otherwise all.
func (p *packer) tree(dir string, top bool) error {
	return fs.WalkDir(p.root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		switch data := path.Join(dir, testdata); {
		case err != nil:
			return err
		case name == dir && top:
			return nil
		case d.IsDir() && top && name != data && !strings.HasPrefix(name, data+"/"):
			return fs.SkipDir
		case d.IsDir():
			return p.folder(name)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return p.file(name, info)
	})
}

// size returns the size of the files below dir, in bytes.
func (p *packer) size(dir string) (n int64, err error) {
	err = fs.WalkDir(p.root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	return n, err
}

func (p *packer) folder(name string) error {
	if p.written[name] {
		return nil
	}
	p.written[name] = true
	_, err := p.out.CreateHeader(header(name+"/", fs.ModeDir|0o755))
	return err
}

func (p *packer) file(name string, info fs.FileInfo) error {
	if p.written[name] {
		return nil
	}
	p.written[name] = true
	if p.total += info.Size(); p.total > MaxSize {
		return fmt.Errorf("%s: the files of the tests are larger than %d MiB, too large to be sent to workers", filepath.Join(p.root.Name(), filepath.FromSlash(path.Dir(name))), MaxSize>>20)
	}
	mode := fs.FileMode(0o644)
	if info.Mode()&0o100 != 0 {
		mode = 0o755
	}
	file, err := p.out.CreateHeader(header(name, mode))
	if err != nil {
		return err
	}
	f, err := p.root.Open(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := io.CopyN(file, f, info.Size()); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(p.root.Name(), filepath.FromSlash(name)), err)
	}
	return nil
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
