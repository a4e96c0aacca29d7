package golist

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/version"
	"io"
	"path/filepath"
)

// A Package is a package as the go command lists it.
type Package struct {
	ImportPath, Dir, Export, Name string
	GoFiles, CgoFiles, SFiles     []string
	EmbedPatterns, EmbedFiles     []string
	ImportMap                     map[string]string
	Imports                       []string
	Module                        *struct{ GoVersion string }
	Standard, DepOnly             bool
	Error                         *struct{ Err string }
}

// fields are the fields of a Package.
const fields = "ImportPath,Dir,Export,Name,GoFiles,CgoFiles,SFiles,EmbedPatterns,EmbedFiles,ImportMap,Imports,Module,Standard,DepOnly,Error"

// Args returns the arguments of the go command that list packages with their dependencies, which come
// first, and compile them.
func Args(patterns []string, flags ...string) []string {
	args := append([]string{"list", "-deps", "-export", "-json=" + fields}, flags...)
	return append(append(args, "--"), patterns...)
}

// Decode reads the output of the go command, and returns the archives by import path as well.
func Decode(out []byte) (list []*Package, archives map[string]string, err error) {
	archives = map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(Package)
		if err := dec.Decode(p); err == io.EOF {
			return list, archives, nil
		} else if err != nil {
			return nil, nil, fmt.Errorf("go list: %w", err)
		}
		list = append(list, p)
		if p.Export != "" {
			archives[p.ImportPath] = p.Export
		}
	}
}

// Lang returns the language version of the package, or "" if it is the toolchain's.
func (p *Package) Lang() string {
	if p.Module == nil || p.Module.GoVersion == "" {
		return ""
	}
	return version.Lang("go" + p.Module.GoVersion)
}

// Files returns the absolute names of the package's Go files.
func (p *Package) Files() (list []string) {
	for _, n := range p.GoFiles {
		list = append(list, filepath.Join(p.Dir, n))
	}
	return list
}

// Imported returns the path of the package that p imports as path.
func (p *Package) Imported(path string) string {
	if to, ok := p.ImportMap[path]; ok {
		return to
	}
	return path
}
