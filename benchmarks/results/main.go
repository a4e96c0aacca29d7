package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// document has the tables, and quoting are texts with some figures of them. All are below the module's root.
const (
	document = "docs/lab/measurements.md"
	folder   = "benchmarks/results"
)

var quoting = []string{"README.md", "docs/use/passes.md"}

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
	name := filepath.Join(root, filepath.FromSlash(document))
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text, err := withTables(string(old), tables)
	if err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	if text != string(old) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return err
		}
	}
	for _, name := range quoting {
		figures, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if _, err := checkFigures(string(figures), tables); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
