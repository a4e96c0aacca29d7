package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

func main() {
	path := flag.String("module", "", "the new `path` of the module, such as example.org/you/taskinstr")
	flag.Parse()
	n, err := publish(".", *path)
	if err != nil {
		fmt.Fprintf(os.Stderr, "publish: %v\n", err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "publish: %d files changed; try: go build ./... && go vet ./...\n", n)
}

// folders are the folders of the module that paths name.
const folders = `cmd|detector|rt|internal|optimize|ssapass|polyhedral|benchmarks|examples|testdata|docs`

// publish rewrites the files below root and returns how many have changed.
func publish(root, path string) (changed int, err error) {
	if path == "" {
		return 0, errors.New("-module is missing: the new path of the module, such as -module=example.org/you/taskinstr")
	}
	if err := module.CheckPath(path); err != nil {
		return 0, fmt.Errorf("-module=%s: %w", path, err)
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return 0, fmt.Errorf("run it in the folder of go.mod: %w", err)
	}
	r := newRewriting(modfile.ModulePath(text), path)
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != root && strings.HasPrefix(d.Name(), ".git") {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		old, err := os.ReadFile(name)
		if err != nil || bytes.IndexByte(old, 0) >= 0 { // a file that is no text
			return err
		}
		text := r.file(d.Name(), string(old))
		if text == string(old) {
			return nil
		}
		changed++
		i, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(name, []byte(text), i.Mode().Perm())
	})
	return changed, err
}

// A rewriting replaces the path of the module.
type rewriting struct {
	from, to       string
	package_, root *regexp.Regexp
}

func newRewriting(from, to string) *rewriting {
	q := regexp.QuoteMeta(from)
	return &rewriting{
		from: from, to: to,
		// The path of a package: not the end of a longer path, and not the folder of a file.
		package_: regexp.MustCompile(`(^|[^\w./$-])` + q + `/(` + folders + `)\b`),
		// The path of the module: in go.mod, in commands for it, and as an import.
		root: regexp.MustCompile(`(?m)(^module |^require |^replace |^\t|-replace=|-require=)("?)` + q + `("$|$| v0|[@=]| =>)`),
	}
}

// file returns the text of the file of this name with the new path.
func (r *rewriting) file(name, text string) string {
	text = r.package_.ReplaceAllString(text, "${1}"+r.to+"/${2}")
	switch filepath.Ext(name) {
	case ".go", ".mod", ".txtar", ".md":
		text = r.root.ReplaceAllString(text, "${1}${2}"+r.to+"${3}")
	}
	return text
}
