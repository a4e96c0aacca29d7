package unit

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// symbol matches the symbols of its own package in a line of assembly.
var symbol = regexp.MustCompile(`·(\w+)(?:<>)?(?:\+\w+)?\(SB\)`)

// Assembly returns the package-level names that the files of assembly among files refer to.
// Names that these merely define are not among them.
func Assembly(files []string) (map[string]bool, error) {
	names := map[string]bool{}
	for _, file := range files {
		if filepath.Ext(file) != ".s" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(line, "//")
			switch w := strings.Fields(line); {
			case len(w) == 0 || w[0] == "TEXT" || w[0] == "GLOBL" || w[0] == "DATA":
				continue
			}
			for _, m := range symbol.FindAllStringSubmatch(line, -1) {
				names[m[1]] = true
			}
		}
	}
	return names, nil
}

// Symabis returns the names among the symbols that the assembler lists for the compiler:
// lines of "def" or "ref", a symbol and its calling convention. pkg is the path by which the
// symbols of the package begin.
func Symabis(file, pkg string) (map[string]bool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		w := strings.Fields(line)
		if len(w) < 2 || w[0] != "ref" {
			continue
		}
		if name, ok := strings.CutPrefix(w[1], pkg+"."); ok {
			names[name] = true
		}
	}
	return names, nil
}
