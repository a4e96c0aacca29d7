package farm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/farm/link"
)

// A cache keeps files by digest in a folder, which several workers may share. A file has its name
// only if its contents have the digest.
type cache struct {
	dir  string
	max  int64                                          // bytes
	open func(path string) (io.WriteCloser, error)      // opens a new file
	load func(context.Context, string, io.Writer) error // writes the contents of a digest

	mu      sync.Mutex
	checked map[string]bool // files that this process has written or compared with their digests
}

// newCache returns the cache in a folder.
func newCache(dir string, max int64, load func(ctx context.Context, digest string, w io.Writer) error) (*cache, error) {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("no folder for binaries: %w; name one with -cache", err)
		}
		dir = filepath.Join(user, "taskinstr", "worker")
	}
	// Other users must not be able to replace a binary.
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for binaries: %w; name another one with -cache", err)
	}
	return &cache{dir: dir, max: max, load: load, checked: map[string]bool{}, open: func(path string) (io.WriteCloser, error) {
		return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}}, nil
}

// path returns the path of a file. It fetches the file if it is not there; other processes that
// want the same file wait.
func (c *cache) path(ctx context.Context, f link.File) (string, error) {
	name, err := objectName(f.Digest)
	if err != nil {
		return "", err
	}
	path := filepath.Join(c.dir, name)
	unlock, err := lockedfile.MutexAt(path + ".lock").Lock()
	if err != nil {
		return "", fmt.Errorf("the folder for binaries: %w", err)
	}
	defer unlock()
	c.mu.Lock()
	checked := c.checked[name]
	c.mu.Unlock()
	if fi, err := os.Stat(path); err == nil && fi.Size() == f.Size {
		if !checked {
			digest, err := batch.Digest(path)
			checked = err == nil && digest == f.Digest
		}
		if checked {
			now := time.Now()
			os.Chtimes(path, now, now) // so that evict keeps it
			c.note(name)
			return path, nil
		}
	}
	if err := c.evict(f.Size); err != nil {
		return "", err
	}
	if err := c.fetch(ctx, f, name, path); err != nil {
		return "", err
	}
	c.note(name)
	return path, nil
}

func (c *cache) note(name string) {
	c.mu.Lock()
	c.checked[name] = true
	c.mu.Unlock()
}

// fetch writes the file, compares it with its digest, and only then gives it its name.
func (c *cache) fetch(ctx context.Context, f link.File, name, path string) error {
	part := path + ".part"
	os.Remove(part) // of a worker that was killed
	w, err := c.open(part)
	if err != nil {
		return err
	}
	defer os.Remove(part)
	sum, count := sha256.New(), &limitWriter{left: f.Size}
	err = c.load(ctx, f.Digest, io.MultiWriter(w, sum, count))
	if s, ok := w.(interface{ Sync() error }); ok && err == nil {
		err = s.Sync()
	}
	if err2 := w.Close(); err == nil {
		err = err2
	}
	got := f.Size - count.left
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), err == nil && count.left > 0:
		return fmt.Errorf("the file %s is truncated: it has %d bytes, not %d", f.Digest, got, f.Size)
	case err != nil:
		return fmt.Errorf("the file %s cannot be fetched: %w", f.Digest, err)
	case hex.EncodeToString(sum.Sum(nil)) != name:
		return fmt.Errorf("the file %s has another digest, sha256:%x; it is not run", f.Digest, sum.Sum(nil))
	}
	if f.Kind == link.Binary {
		if err := os.Chmod(part, 0o500); err != nil {
			return err
		}
	}
	return os.Rename(part, path)
}

// evict deletes the files that were not used for the longest time, until there is room for another
// one.
func (c *cache) evict(room int64) error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && filepath.Ext(e.Name()) == "" {
			files = append(files, fi)
			room += fi.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, fi := range files {
		if room <= c.max || time.Since(fi.ModTime()) < time.Hour { // a batch may be about to start it
			break
		}
		if err := os.Remove(filepath.Join(c.dir, fi.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		room -= fi.Size()
	}
	return nil
}

// A limitWriter counts bytes and accepts no more than are left.
type limitWriter struct{ left int64 }

func (w *limitWriter) Write(p []byte) (int, error) {
	if int64(len(p)) > w.left {
		return 0, errors.New("it has more bytes than its coordinator has signed")
	}
	w.left -= int64(len(p))
	return len(p), nil
}
