package rt

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"sort"
	"strings"

	"taskinstr/detector"
	"taskinstr/detector/trace/wire"
)

// A part is a package that is merged into package runtime. Its prefix marks what it
// declares there; what rt itself declares begins with tr_.
type part struct {
	src    fs.FS
	path   string // below the module
	prefix string
}

var parts = []part{
	{detector.Source, "detector", "ti_"},
	{wire.Source, "detector/trace/wire", "tw_"},
}

// hostOnly is the build constraint of files of these packages that stay outside
// the runtime.
const hostOnly = "//go:build !taskinstr_runtime"

// merged returns the files of the merged packages as files of package runtime. The text
// is unchanged but for the package clause and the prefix.
func merged() ([]File, error) {
	var all []File
	for _, p := range parts {
		files, err := merge(p.src, p.path, p.prefix)
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}

// merge returns the files of the package at path in this module.
func merge(src fs.FS, path, prefix string) ([]File, error) {
	names, err := fs.Glob(src, "*.go")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	fset := token.NewFileSet()
	var files []*ast.File
	texts := map[*ast.File][]byte{}
	keep := map[*ast.File]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(src, name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("rt: merging %s: %w", path, err)
		}
		files = append(files, f)
		texts[f] = text
		if !bytes.Contains(text[:fset.Position(f.Package).Offset], []byte(hostOnly)) {
			keep[f] = name
		}
	}
	info := &types.Info{
		Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{},
	}
	// The files outside the runtime import what is not to be had here; their
	// declarations are all that is needed of them, so errors do not matter.
	conf := types.Config{Error: func(error) {}, Importer: noImporter{}, FakeImportC: true}
	pkg, _ := conf.Check(path, fset, files, info)
	var out []File
	for _, f := range files {
		name, ok := keep[f]
		if !ok {
			continue
		}
		text := texts[f]
		type edit struct {
			at   int
			size int
			text string
		}
		edits := []edit{{fset.Position(f.Name.Pos()).Offset, len(f.Name.Name), "runtime"}}
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || id == f.Name {
				return true
			}
			obj := info.Defs[id]
			if obj == nil {
				obj = info.Uses[id]
			}
			if obj == nil || obj.Name() == "_" || obj.Name() == "init" {
				return true
			}
			v, isVar := obj.(*types.Var)
			if obj.Parent() == pkg.Scope() || isVar && v.Embedded() && v.Pkg() == pkg {
				edits = append(edits, edit{fset.Position(id.Pos()).Offset, 0, prefix})
			}
			return true
		})
		sort.Slice(edits, func(i, j int) bool { return edits[i].at < edits[j].at })
		var b bytes.Buffer
		fmt.Fprintf(&b, "//line taskinstr/%s/%s:1\n", path, name)
		at := 0
		for _, e := range edits {
			b.Write(text[at:e.at])
			b.WriteString(e.text)
			at = e.at + e.size
		}
		b.Write(text[at:])
		out = append(out, File{Name: "taskinstr_" + strings.ReplaceAll(path, "/", "_") + "_" + name, Data: b.Bytes()})
	}
	return out, nil
}

type noImporter struct{}

func (noImporter) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return nil, fmt.Errorf("%s is not imported by merged packages", path)
}
