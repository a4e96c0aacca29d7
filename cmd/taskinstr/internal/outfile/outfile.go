// Package outfile writes files that the user names: whole or not at all, so that an
// interrupt or a full disk leaves the earlier file as it was. It also has the forms of JSON
// and XML in which commands print.
package outfile

import (
	"bufio"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
)

// writes counts the files that Write has begun.
var writes atomic.Uint64

// WriteText writes a text as Write does.
func WriteText(name string, text []byte) error {
	return Write(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// WriteJSON writes a value as JSON with indents, in which < and & are as they are.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// WriteXML writes a value as an XML document with indents.
func WriteXML(w io.Writer, v any) error {
	text, err := xml.MarshalIndent(v, "", "\t")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(text)+"\n")
	return err
}

// mode is what the umask is applied to, as for every new file.
const mode = 0o666

// Write calls write and puts what it has written into the file. If write fails, there is no
// new file. Something that is no regular file, such as a pipe, is written directly.
func Write(name string, write func(io.Writer) error) (err error) {
	if i, err := os.Stat(name); err == nil && !i.Mode().IsRegular() {
		return direct(name, write)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	// Several processes may write the file at the same time, and several goroutines of one.
	temp := fmt.Sprintf("%s.%d.%d.new", name, os.Getpid(), writes.Add(1))
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temp)
		}
	}()
	if err := fill(f, write); err != nil {
		return err
	}
	return os.Rename(temp, name)
}

func direct(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	return fill(f, write)
}

func fill(f *os.File, write func(io.Writer) error) error {
	b := bufio.NewWriter(f)
	err := write(b)
	return cmp.Or(err, b.Flush(), f.Close())
}
