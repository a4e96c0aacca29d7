package golist

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Compiler compiles packages.
type Compiler struct {
	Tool    func(name string, args ...string) *exec.Cmd // a tool of the toolchain
	Include string                                      // the folder of its headers for the assembler
	Tmp     string                                      // a folder for temporary files
}

// Args returns the compiler's arguments for the package, without the flag for its archive and without
// the files.
func (c *Compiler) Args(p *Package, lang string, archives map[string]string) ([]string, error) {
	var imports strings.Builder
	for from, to := range p.ImportMap {
		fmt.Fprintf(&imports, "importmap %s=%s\n", from, to)
	}
	for path, file := range archives {
		fmt.Fprintf(&imports, "packagefile %s=%s\n", path, file)
	}
	cfg, err := c.Temp("importcfg", []byte(imports.String()))
	if err != nil {
		return nil, err
	}
	path := p.ImportPath
	if p.Name == "main" {
		path = "main"
	}
	args := []string{"-p", path, "-importcfg", cfg, "-c=1"}
	if p.Standard {
		args = append(args, "-std")
	}
	if lang != "" {
		args = append(args, "-lang="+lang)
	}
	if len(p.SFiles) > 0 {
		abis, err := c.symabis(p, path)
		if err != nil {
			return nil, err
		}
		args = append(args, "-symabis", abis)
	}
	if len(p.EmbedFiles) > 0 {
		embed, err := c.embedcfg(p)
		if err != nil {
			return nil, err
		}
		args = append(args, "-embedcfg", embed)
	}
	return args, nil
}

// symabis lists the definitions and calls of the package's assembly. The list does not
// depend on the constants of go_asm.h, which the compiler has not written yet.
func (c *Compiler) symabis(p *Package, path string) (string, error) {
	out, err := c.Temp("symabis", nil)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(c.Tmp, "go_asm.h"), nil, 0o666); err != nil {
		return "", err
	}
	args := []string{"-p", path, "-I", c.Tmp, "-I", c.Include, "-gensymabis", "-o", out}
	cmd := c.Tool("asm", append(args, p.SFiles...)...)
	cmd.Dir = p.Dir
	if msg, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("assemble %s: %w\n%s", p.ImportPath, err, msg)
	}
	return out, nil
}

// embedcfg writes the compiler's list of embedded files. The contents of the files do not
// matter.
func (c *Compiler) embedcfg(p *Package) (string, error) {
	cfg := struct {
		Patterns map[string][]string
		Files    map[string]string
	}{map[string][]string{}, map[string]string{}}
	for _, pattern := range p.EmbedPatterns {
		cfg.Patterns[pattern] = p.EmbedFiles[:1]
	}
	for _, f := range p.EmbedFiles {
		cfg.Files[f] = filepath.Join(p.Dir, f)
	}
	b, err := json.Marshal(cfg)
	if err != nil {
		return "", err
	}
	return c.Temp("embedcfg", b)
}

// Temp writes a temporary file and returns its name.
func (c *Compiler) Temp(name string, data []byte) (string, error) {
	f, err := os.CreateTemp(c.Tmp, name)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	return f.Name(), errors.Join(err, f.Close())
}
