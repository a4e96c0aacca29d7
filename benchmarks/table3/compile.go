package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/benchmarks/measure"
)

// compile prints the time of builds: plain, without passes and with passes. The packages of the
// programs are cold each time, std is compiled already: in a copy of the packages, each
// file gets another comment before each build. A build with passes analyses the whole
// program each time.
func compile(tool string, runs int) error {
	dir, err := os.MkdirTemp("", "table3")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	files, err := copyModule(dir)
	if err != nil {
		return err
	}
	list := columns[:3]
	times := make([][]float64, len(list))
	for n := range runs + 1 {
		for i, m := range list {
			for name, text := range files {
				text = append(slices.Clip(text), fmt.Sprintf("\n// Build %d of %s.\n", n, dir)...)
				if err := os.WriteFile(name, text, 0o644); err != nil {
					return err
				}
			}
			cmd := m.Build(tool, filepath.Join(dir, "program"))
			cmd.Dir = dir
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("%s: %w", cmd, err)
			}
			if n > 0 { // the first one may have compiled std
				times[i] = append(times[i], measure.Processor(cmd))
			}
		}
	}
	plain := measure.Median(times[0])
	fmt.Println("| build | processor time, s | against plain |\n|---|---|---|")
	for i, m := range list {
		fmt.Printf("| %s | %.2f | %+.0f%% |\n", m.Name, measure.Median(times[i]), 100*(measure.Median(times[i])/plain-1))
	}
	return nil
}

// copyModule copies the files of this module that the programs are built from, and
// returns the text of the Go files by name.
func copyModule(dir string) (map[string][]byte, error) {
	const own = `{{if and (not .Standard) .Module.Main}}{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}{{range .EmbedFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}{{end}}`
	out, err := exec.Command("go", "list", "-deps", "-f", own, "./benchmarks/run").Output()
	if err != nil {
		return nil, fmt.Errorf("go list ./benchmarks/run: %w", err)
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range append(strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' }), filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum")) {
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		to := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return nil, err
		}
		if strings.HasSuffix(name, ".go") {
			files[to] = text
		}
	}
	return files, nil
}
