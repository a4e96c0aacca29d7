package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed testdata/service.txtar
var service []byte

func main() {
	short := flag.Bool("short", false, "leave out the steps that compile the standard library once more or measure")
	keep := flag.Bool("keep", false, "do not remove the folder of the build cache, the service and the outputs")
	lines := flag.Int("lines", 12, "show at most this many lines of each output; 0: all")
	flag.Parse()
	if flag.NArg() > 0 || *lines < 0 {
		fmt.Fprintln(os.Stderr, "firsthour: no arguments are expected, -lines must not be negative")
		os.Exit(2)
	}
	failed, err := hour(*short, *keep, *lines)
	if err != nil {
		fmt.Fprintln(os.Stderr, "firsthour:", err)
		os.Exit(1)
	}
	if failed > 0 {
		fmt.Fprintf(os.Stderr, "firsthour: %d steps did not end as expected\n", failed)
		os.Exit(1)
	}
}

// hour runs the steps and prints them. It returns the number of those that did not end as expected.
func hour(short, keep bool, lines int) (failed int, err error) {
	checkout, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	if mod, err := os.ReadFile("go.mod"); err != nil || !bytes.HasPrefix(mod, []byte("module taskinstr\n")) {
		return 0, fmt.Errorf("%s is not the folder of taskinstr's go.mod; change to it", checkout)
	}
	base, err := os.MkdirTemp("", "taskinstr-first-hour-")
	if err != nil {
		return 0, err
	}
	if keep {
		fmt.Fprintln(os.Stderr, "firsthour: everything is in", base)
	} else {
		defer os.RemoveAll(base)
	}
	p := &place{checkout: checkout, service: filepath.Join(base, "ledger"), base: base}
	if err := p.prepare(); err != nil {
		return 0, err
	}
	var rows []row
	for _, s := range steps(p) {
		if short && s.long {
			continue
		}
		fmt.Printf("## %s\n", s.title)
		r, err := p.run(s)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", s.title, err)
		}
		r.print(lines)
		rows = append(rows, r)
		if r.wrong != "" {
			failed++
		}
	}
	fmt.Print(table(rows))
	return failed, nil
}

// place is where a first hour takes place.
type place struct {
	base     string // the folder of everything that is written
	checkout string // of taskinstr
	service  string // the user's module
	env      []string
}

// prepare writes the service and makes the environment of all commands.
func (p *place) prepare() error {
	for _, f := range txtar.Parse(service).Files {
		if err := write(filepath.Join(p.service, f.Name), f.Data); err != nil {
			return err
		}
	}
	bin := filepath.Join(p.base, "bin")
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(name, "TASKINSTR") && !strings.HasPrefix(name, "GITHUB_") && name != "GORACE" && name != "GOFLAGS" {
			p.env = append(p.env, v)
		}
	}
	p.env = append(p.env,
		"GOBIN="+bin, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"GOCACHE="+filepath.Join(p.base, "build-cache"), "XDG_CACHE_HOME="+filepath.Join(p.base, "cache"))
	return nil
}

// write writes a file and makes its folder.
func write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

// replace replaces the only occurrence of a text in a file.
func replace(name, old, text string) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if bytes.Count(b, []byte(old)) != 1 {
		return fmt.Errorf("%s does not hold %q once", name, old)
	}
	return os.WriteFile(name, bytes.Replace(b, []byte(old), []byte(text), 1), 0o666)
}
