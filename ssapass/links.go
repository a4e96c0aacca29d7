package ssapass

import (
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// Functions are joined and entered in ways that neither types nor SSA know of:
// go:linkname gives a function's body to a declaration elsewhere, and C and
// assembly call Go.
type links struct {
	bodies  map[*ssa.Function]*ssa.Function // of functions declared without one
	entries []*ssa.Function                 // functions that code not seen calls
	pushed  map[string]*ssa.Function        // functions whose bodies are given away, by the name they get
	pulled  map[string]bool                 // names that bodies are asked for by
}

// Body returns the function that runs where f, which is declared without a
// body, is called; or nil.
func (l *links) Body(f *ssa.Function) *ssa.Function { return l.bodies[f] }

// asmCall matches calls and addresses of Go functions in assembly.
var asmCall = regexp.MustCompile(`(?:CALL|JMP|BL|B|\$)\s*·(\w+)\(SB\)`)

// link reads the directives of all files, and the assembly of all packages.
func (p *Program) link() {
	p.bodies = map[*ssa.Function]*ssa.Function{}
	p.pushed, p.pulled = map[string]*ssa.Function{}, map[string]bool{}
	byName := map[string]*ssa.Function{}
	for _, pkg := range p.Packages {
		s := p.SSA.Package(pkg.Types)
		if s == nil || opaque(pkg.PkgPath) {
			continue
		}
		for _, m := range s.Members {
			if f, ok := m.(*ssa.Function); ok {
				byName[pkg.PkgPath+"."+f.Name()] = f
			}
		}
	}
	for _, pkg := range p.Packages {
		if opaque(pkg.PkgPath) {
			continue
		}
		for _, f := range pkg.Syntax {
			for _, g := range f.Comments {
				for _, c := range g.List {
					p.directive(pkg, byName, c)
				}
			}
		}
		for _, name := range pkg.OtherFiles {
			if filepath.Ext(name) != ".s" {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				continue // the compiler will say so
			}
			for _, m := range asmCall.FindAllSubmatch(text, -1) {
				p.enter(byName[pkg.PkgPath+"."+string(m[1])])
			}
		}
	}
	present := map[string]bool{}
	for _, pkg := range p.Packages {
		present[pkg.PkgPath] = true
	}
	for _, name := range slices.Sorted(maps.Keys(p.pushed)) {
		// A package that the program does not have calls nothing.
		if p.unit != nil || present[pathOf(name)] || p.pulled[name] {
			p.enter(p.pushed[name])
		}
	}
}

// pathOf returns the package path of a linker symbol.
func pathOf(name string) string {
	slash := strings.LastIndexByte(name, '/') + 1
	if dot := strings.IndexByte(name[slash:], '.'); dot >= 0 {
		return name[:slash+dot]
	}
	return name
}

func (p *Program) directive(pkg *packages.Package, byName map[string]*ssa.Function, c *ast.Comment) {
	switch w := strings.Fields(c.Text); {
	case len(w) >= 2 && w[0] == "//export":
		p.enter(byName[pkg.PkgPath+"."+w[1]])
	case len(w) == 3 && w[0] == "//go:linkname":
		local, remote := byName[pkg.PkgPath+"."+w[1]], byName[w[2]]
		switch {
		case local == nil:
		case local.Blocks == nil:
			p.pulled[w[2]] = true
			if remote != nil && remote.Blocks != nil {
				p.bodies[local] = remote
			}
		case remote != nil && remote.Blocks == nil:
			p.bodies[remote] = local
		default:
			p.pushed[w[2]] = local
		}
	}
}

// enter notes that code not seen calls f.
func (p *Program) enter(f *ssa.Function) {
	if f != nil && f.Blocks != nil {
		p.entries = append(p.entries, f)
	}
}
