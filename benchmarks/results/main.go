package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// folder has the data files, documents have the tables, and quoting are texts with some figures of them. All
// are below the module's root.
const folder = "benchmarks/results"

var (
	documents = []string{"docs/lab/tables.md", "docs/lab/schedules.md", "docs/lab/papers.md"}
	quoting   = []string{"README.md", "docs/use/passes.md"}
)

func main() {
	root := flag.String("root", ".", "the module's root")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "results: unexpected argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := write(*root); err != nil {
		fmt.Fprintln(os.Stderr, "results:", err)
		os.Exit(1)
	}
}

// write writes the tables and reports figures in other texts that differ from the data.
func write(root string) error {
	tables, err := load(filepath.Join(root, filepath.FromSlash(folder)))
	if err != nil {
		return err
	}
	old, err := read(root, documents)
	if err != nil {
		return err
	}
	made, err := withTables(old, tables)
	if err != nil {
		return err
	}
	for name, text := range made {
		if text == old[name] {
			continue
		}
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
			return err
		}
	}
	figures, err := read(root, quoting)
	if err != nil {
		return err
	}
	for name, text := range figures {
		if _, err := checkFigures(text, tables); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// read returns the texts of files below a root, by name.
func read(root string, names []string) (map[string]string, error) {
	texts := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		texts[name] = string(text)
	}
	return texts, nil
}
