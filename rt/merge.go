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
)

// prefix marks what the detector declares in package runtime; what rt itself
// declares there begins with tr_.
const prefix = "ti_"

// hostOnly is the build constraint of the detector's files that stay outside
// the runtime.
const hostOnly = "//go:build !taskinstr_runtime"

// merged returns the detector's files as files of package runtime. The text is
// unchanged but for the package clause and the prefix.
func merged() ([]File, error) {
	return merge(detector.Source)
}

func merge(src fs.FS) ([]File, error) {
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
			return nil, fmt.Errorf("rt: merging the detector: %w", err)
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
	pkg, _ := conf.Check("detector", fset, files, info)
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
		fmt.Fprintf(&b, "//line taskinstr/detector/%s:1\n", name)
		at := 0
		for _, e := range edits {
			b.Write(text[at:e.at])
			b.WriteString(e.text)
			at = e.at + e.size
		}
		b.Write(text[at:])
		out = append(out, File{Name: "taskinstr_detector_" + name, Data: b.Bytes()})
	}
	return out, nil
}

type noImporter struct{}

func (noImporter) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return nil, fmt.Errorf("%s is not imported by the merged detector", path)
}
