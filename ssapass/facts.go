package ssapass

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/types/objectpath"
)

// Facts holds facts of functions of several packages: of a package that was analyzed by
// itself, and of methods of other packages' types to which its exported types lead. An
// importer can call no other functions without importing more packages.
type Facts struct {
	of map[string]map[objectpath.Path]Fact // by package path
}

// Of returns the fact of a function; it is the function of Unit.Fact.
func (f *Facts) Of(fn *types.Func) (Fact, bool) {
	if f == nil || fn.Pkg() == nil {
		return Fact{}, false
	}
	list := f.of[fn.Pkg().Path()]
	if list == nil {
		return Fact{}, false
	}
	path, err := objectpath.For(fn)
	if err != nil {
		return Fact{}, false
	}
	fact, ok := list[path]
	return fact, ok
}

// Len returns the number of functions.
func (f *Facts) Len() int {
	n := 0
	for _, list := range f.of {
		n += len(list)
	}
	return n
}

// Merge adds the facts of another package's archive. If both have a fact of one function,
// the facts are equal, since each package is analyzed once.
func (f *Facts) Merge(g *Facts) {
	if f.of == nil {
		f.of = map[string]map[objectpath.Path]Fact{}
	}
	for pkg, list := range g.of {
		if f.of[pkg] == nil {
			f.of[pkg] = make(map[objectpath.Path]Fact, len(list))
		}
		maps.Copy(f.of[pkg], list)
	}
}

func (f *Facts) put(enc *objectpath.Encoder, fn *types.Func, fact Fact) {
	path, err := enc.For(fn)
	if err != nil {
		return // no importer can name it
	}
	pkg := fn.Pkg().Path()
	if f.of[pkg] == nil {
		f.of[pkg] = map[objectpath.Path]Fact{}
	}
	f.of[pkg][path] = fact
}

// Exported returns the facts that importers of the unit may ask for.
func (a *Analysis) Exported() *Facts {
	u := a.prog.unit
	out := &Facts{of: map[string]map[objectpath.Path]Fact{}}
	enc := new(objectpath.Encoder)
	for fn, fact := range a.Facts() {
		if fn.Exported() {
			out.put(enc, fn, fact)
		}
	}
	r := reached{done: map[types.Type]bool{}}
	scope := u.Pkg.Scope()
	for _, name := range scope.Names() {
		if o := scope.Lookup(name); o.Exported() {
			r.walk(o.Type())
		}
	}
	for _, n := range r.named {
		if n.Obj().Pkg() == nil || n.Obj().Pkg() == u.Pkg {
			continue
		}
		for m := range n.Methods() {
			if fact, ok := u.Fact(m.Origin()); ok {
				out.put(enc, m.Origin(), fact)
			}
		}
	}
	return out
}

// reached collects the named types that types lead to.
type reached struct {
	done  map[types.Type]bool
	named []*types.Named // without instances of generic types
	all   []*types.Named // with instances
	param bool           // a type parameter was found
}

func (r *reached) walk(t types.Type) {
	if r.done[t] {
		return
	}
	r.done[t] = true
	switch t := t.(type) {
	case *types.Alias:
		r.walk(types.Unalias(t))
	case *types.TypeParam:
		r.param = true
	case *types.Named:
		r.all = append(r.all, t)
		for x := range t.TypeArgs().Types() {
			r.walk(x)
		}
		if o := t.Origin(); o != t {
			r.walk(o)
			r.walk(t.Underlying())
			return
		}
		r.named = append(r.named, t)
		r.walk(t.Underlying())
		for m := range t.Methods() {
			r.walk(m.Type())
		}
	case *types.Pointer:
		r.walk(t.Elem())
	case *types.Slice:
		r.walk(t.Elem())
	case *types.Array:
		r.walk(t.Elem())
	case *types.Chan:
		r.walk(t.Elem())
	case *types.Map:
		r.walk(t.Key())
		r.walk(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			r.walk(f.Type())
		}
	case *types.Signature:
		r.walk(t.Params())
		r.walk(t.Results())
		for p := range t.TypeParams().TypeParams() {
			r.walk(p.Constraint())
		}
	case *types.Tuple:
		for v := range t.Variables() {
			r.walk(v.Type())
		}
	case *types.Interface:
		for m := range t.Methods() {
			r.walk(m.Type())
		}
		for e := range t.EmbeddedTypes() {
			r.walk(e)
		}
	case *types.Union:
		for e := range t.Terms() {
			r.walk(e.Type())
		}
	}
}

// factsVersion begins the encoding; data of another version counts as none.
const factsVersion = "taskinstr facts 1\n"

const (
	factMemory = 1 << iota
	factNeverReturns
)

// Encode returns the facts as bytes; equal facts give equal bytes. The bytes are the version,
// the number of packages and the packages by path: the path, the number of functions and the
// functions by object path, each with the path, Sync and the flags. Numbers are varints, and
// a string follows its length.
func (f *Facts) Encode() []byte {
	b := []byte(factsVersion)
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	b = binary.AppendUvarint(b, uint64(len(f.of)))
	for _, pkg := range slices.Sorted(maps.Keys(f.of)) {
		text(pkg)
		list := f.of[pkg]
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, path := range slices.Sorted(maps.Keys(list)) {
			text(string(path))
			fact, flags := list[path], uint64(0)
			if fact.Memory {
				flags |= factMemory
			}
			if fact.NeverReturns {
				flags |= factNeverReturns
			}
			b = binary.AppendUvarint(b, uint64(fact.Sync))
			b = binary.AppendUvarint(b, flags)
		}
	}
	return b
}

// DecodeFacts reads the result of Encode. Data of another version has no facts.
func DecodeFacts(data []byte) (*Facts, error) {
	f := &Facts{of: map[string]map[objectpath.Path]Fact{}}
	rest, ok := bytes.CutPrefix(data, []byte(factsVersion))
	if !ok {
		return f, nil
	}
	damaged := false
	number := func() uint64 {
		x, n := binary.Uvarint(rest)
		if n <= 0 {
			damaged = true
			return 0
		}
		rest = rest[n:]
		return x
	}
	text := func() string {
		n := number()
		if damaged = damaged || n > uint64(len(rest)); damaged {
			return ""
		}
		s := string(rest[:n])
		rest = rest[n:]
		return s
	}
	for n := number(); n > 0 && !damaged; n-- {
		pkg, list := text(), map[objectpath.Path]Fact{}
		for k := number(); k > 0 && !damaged; k-- {
			path := text()
			sync, flags := number(), number()
			list[objectpath.Path(path)] = Fact{Sync: Sync(sync), Memory: flags&factMemory != 0, NeverReturns: flags&factNeverReturns != 0}
		}
		f.of[pkg] = list
	}
	if damaged || len(rest) > 0 {
		return nil, errors.New("facts: the data is damaged")
	}
	return f, nil
}

// String lists the facts for tests, one function a line.
func (f *Facts) String() string {
	var b bytes.Buffer
	for _, pkg := range slices.Sorted(maps.Keys(f.of)) {
		for _, path := range slices.Sorted(maps.Keys(f.of[pkg])) {
			x := f.of[pkg][path]
			fmt.Fprintf(&b, "%s.%s: sync %#x", pkg, path, uint16(x.Sync))
			if x.Memory {
				b.WriteString(", memory")
			}
			if x.NeverReturns {
				b.WriteString(", never returns")
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
