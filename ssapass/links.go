package ssapass

import (
	"cmp"
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

// links has the connections between functions that are neither in types nor in SSA:
// go:linkname makes the body of one function the body of another, and C and assembly
// call Go. As in the Go documentation, a linkname directive at a function with a body
// pushes the body to the named symbol, and a directive at a declaration pulls it.
type links struct {
	bodies  map[*ssa.Function]*ssa.Function // bodies of functions that are declared without one
	entries []*ssa.Function                 // functions that external code calls
	pushed  map[string]*ssa.Function        // functions whose bodies are pushed, by symbol
	pulled  map[string]bool                 // symbols that are pulled
}

// Body returns the function that runs when a program calls f, if f is declared without
// a body, or nil.
func (l *links) Body(f *ssa.Function) *ssa.Function { return l.bodies[f] }

// bodyOr returns the body of f, or f itself.
func (l *links) bodyOr(f *ssa.Function) *ssa.Function { return cmp.Or(l.bodies[f], f) }

// asmCall matches calls and addresses of Go functions in assembly.
var asmCall = regexp.MustCompile(`(?:CALL|JMP|BL|B|\$)\s*·(\w+)\(SB\)`)

// asmNames returns the functions of a package that its assembly calls or takes the address of.
func asmNames(pkg *packages.Package) (names []string) {
	for _, name := range pkg.OtherFiles {
		if filepath.Ext(name) != ".s" {
			continue
		}
		text, _ := os.ReadFile(name) // the compiler reports an error
		for _, m := range asmCall.FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
	}
	return names
}

// link reads the directives of all files and the assembly of all packages.
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
		for _, c := range p.kept.comments[pkg] {
			p.directive(pkg, byName, c)
		}
		for _, f := range pkg.Syntax {
			for _, g := range f.Comments {
				for _, c := range g.List {
					p.directive(pkg, byName, c)
				}
			}
		}
		for _, name := range asmNames(pkg) {
			p.enter(byName[pkg.PkgPath+"."+name])
		}
	}
	present := map[string]bool{}
	for _, pkg := range p.Packages {
		present[pkg.PkgPath] = true
	}
	for _, name := range slices.Sorted(maps.Keys(p.pushed)) {
		// A package outside the program calls nothing.
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
	if !isDirective(c) {
		return
	}
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

// enter notes that external code calls f.
func (p *Program) enter(f *ssa.Function) {
	if f != nil && f.Blocks != nil {
		p.entries = append(p.entries, f)
	}
}
