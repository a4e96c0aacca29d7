package rt

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"

	"taskinstr/detector"
	"taskinstr/detector/drdp/online"
	"taskinstr/detector/espbags"
	"taskinstr/detector/schedule"
	"taskinstr/detector/theorem"
	"taskinstr/detector/trace/wire"
)

// A source is a package of this module whose text joins package runtime.
type source struct {
	dir    string // below the module's root
	prefix string // of what it declares there; what rt itself declares begins with tr_
	files  fs.FS
}

// common is what joins whatever detector there is.
var common = []source{
	{"detector/theorem", "th_", theorem.Source},
	{"detector/schedule", "sc_", schedule.Source},
	{"detector/trace/wire", "tw_", wire.Source},
}

// An engine is a detector as a part of package runtime. All have the same entry points
// (docs/architecture.md, section 3).
type engine struct {
	source
	own []string // folders of files that join those in files/runtime, or replace them
}

// serial is the folder of what detectors of serial execution share.
const serial = "files/serial/runtime"

// engines are the detectors, by the name that Target.Detector has.
var engines = map[string]engine{
	"":        {source{"detector", "ti_", detector.Source}, nil},
	"drdp":    {source{"detector/drdp/online", "ti_", online.Source}, []string{serial, "files/drdp/runtime"}},
	"espbags": {source{"detector/espbags", "ti_", espbags.Source}, []string{serial, "files/espbags/runtime"}},
}

// Detectors returns the names that Target.Detector may have.
func Detectors() []string { return slices.Sorted(maps.Keys(engines)) }

// hostOnly is the build constraint of the files that stay outside the runtime.
const hostOnly = "//go:build !taskinstr_runtime"

// merged returns the files of a detector and of what is common to all as files of package
// runtime. The text is unchanged but for the package clause and the prefix.
func (e engine) merged() ([]File, error) {
	var out []File
	for _, s := range append([]source{e.source}, common...) {
		files, err := merge(s)
		if err != nil {
			return nil, err
		}
		out = append(out, files...)
	}
	return out, nil
}

func merge(src source) ([]File, error) {
	names, err := fs.Glob(src.files, "*.go")
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
		text, err := fs.ReadFile(src.files, name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("rt: merging %s: %w", src.dir, err)
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
	pkg, _ := conf.Check(path.Base(src.dir), fset, files, info)
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
				edits = append(edits, edit{fset.Position(id.Pos()).Offset, 0, src.prefix})
			}
			return true
		})
		sort.Slice(edits, func(i, j int) bool { return edits[i].at < edits[j].at })
		var b bytes.Buffer
		fmt.Fprintf(&b, "//line taskinstr/%s/%s:1\n", src.dir, name)
		at := 0
		for _, e := range edits {
			b.Write(text[at:e.at])
			b.WriteString(e.text)
			at = e.at + e.size
		}
		b.Write(text[at:])
		out = append(out, File{Name: "taskinstr_" + path.Base(src.dir) + "_" + name, Data: b.Bytes()})
	}
	return out, nil
}

type noImporter struct{}

func (noImporter) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return nil, fmt.Errorf("%s is not imported by what joins package runtime", path)
}
