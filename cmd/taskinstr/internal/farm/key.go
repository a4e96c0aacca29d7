package farm

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/nats-io/nkeys"
)

// loadKey reads the seed that signs batches. If the file is missing and path is "", it makes one
// in the user's configuration folder.
func loadKey(path string) (nkeys.KeyPair, error) {
	make := path == ""
	if make {
		dir, err := os.UserConfigDir()
		if err != nil {
			return nil, fmt.Errorf("no folder for the key that signs batches: %w; name a file with -workers-sign", err)
		}
		path = filepath.Join(dir, "taskinstr", "coordinator.nk")
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && make {
		return makeKey(path)
	} else if err != nil {
		return nil, fmt.Errorf("the key that signs batches: %w", err)
	}
	if fi, err := os.Stat(path); err == nil && runtime.GOOS != "windows" && fi.Mode()&0o077 != 0 {
		return nil, fmt.Errorf("%s: other users may read this key, and so sign batches that your workers run; chmod 600 %[1]s", path)
	}
	key, err := nkeys.FromSeed(bytes.TrimSpace(text))
	if err != nil {
		return nil, fmt.Errorf("%s holds no NKey seed: %w; `nk -gen user` makes one", path, err)
	}
	if public, err := key.PublicKey(); err != nil || !nkeys.IsValidPublicUserKey(public) {
		return nil, fmt.Errorf("%s holds a seed that is not that of a user (SU...); `nk -gen user` makes one", path)
	}
	return key, nil
}

// makeKey makes a key and stores its seed. Of several commands that do so at the same time, one
// wins, and all have its key.
func makeKey(path string) (nkeys.KeyPair, error) {
	key, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	seed, err := key.Seed()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".key")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(seed, '\n'))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(f.Name(), path); errors.Is(err, fs.ErrExist) {
		return loadKey(path)
	} else if err != nil {
		return nil, err
	}
	return key, nil
}
