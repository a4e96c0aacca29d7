package archive

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	magic      = "!<arch>\n"
	headerSize = 60
	nameSize   = 16
	sizeStart  = 48
	sizeEnd    = 58
	mark       = "`\n"
)

// Append adds a member to the archive. The name is 1 to 15 bytes long and has an
// extension that the linker skips.
func Append(file, name string, data []byte) (err error) {
	if ext := filepath.Ext(name); len(name) >= nameSize || ext == "" || ext == ".o" || ext == ".syso" || strings.ContainsAny(name, " /\n") {
		return fmt.Errorf("archive %s: %q is no name for a member that the linker skips", file, name)
	}
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(f, head); err != nil || string(head) != magic {
		return fmt.Errorf("archive %s: it does not begin with %q", file, strings.TrimSpace(magic))
	}
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	member := make([]byte, 0, 1+headerSize+len(data)+1)
	if end%2 != 0 {
		member = append(member, 0)
	}
	member = fmt.Appendf(member, "%-16s%-12d%-6d%-6d%-8o%-10d%s", name, 0, 0, 0, 0o644, len(data), mark)
	member = append(member, data...)
	if len(data)%2 != 0 {
		member = append(member, 0)
	}
	_, err = f.Write(member)
	return err
}

// Read returns the data of the first member of the name; nil where the archive has
// none. A file that is no archive, or a damaged one, is an error.
func Read(file, name string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	head := make([]byte, headerSize)
	if _, err := io.ReadFull(f, head[:len(magic)]); err != nil || string(head[:len(magic)]) != magic {
		return nil, fmt.Errorf("archive %s: it does not begin with %q", file, strings.TrimSpace(magic))
	}
	at := int64(len(magic))
	for at < info.Size() {
		if _, err := f.ReadAt(head, at); err != nil {
			return nil, fmt.Errorf("archive %s: the header at byte %d: %w", file, at, err)
		}
		size, err := strconv.ParseInt(strings.TrimRight(string(head[sizeStart:sizeEnd]), " "), 10, 64)
		if at += headerSize; err != nil || size < 0 || size > info.Size()-at || string(head[sizeEnd:]) != mark {
			return nil, fmt.Errorf("archive %s: the header before byte %d is damaged", file, at)
		}
		if strings.TrimRight(string(head[:nameSize]), " ") == name {
			data := make([]byte, size)
			if _, err := f.ReadAt(data, at); err != nil {
				return nil, fmt.Errorf("archive %s: member %s: %w", file, name, err)
			}
			return data, nil
		}
		at += size + size%2
	}
	return nil, nil
}
