package ssapass

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"go/types"
	"iter"
	"maps"
	"slices"

	"golang.org/x/tools/go/types/objectpath"

	"taskinstr/ssapass/pointsto"
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
	path, err := factPath(new(objectpath.Encoder), fn)
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

// factPath returns the key of a function's fact. The path of a method would have its index among
// the methods of the type, and the compiled package has more methods than the source: clones
// (internal/splice/version.go). So the key of a method has its name.
func factPath(enc *objectpath.Encoder, fn *types.Func) (objectpath.Path, error) {
	if recv := fn.Signature().Recv(); recv != nil {
		t := types.Unalias(recv.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if n, ok := t.(*types.Named); ok && fn.Pkg().Scope().Lookup(n.Obj().Name()) == n.Obj() {
			return objectpath.Path(n.Obj().Name() + ":" + fn.Name()), nil
		}
	}
	return enc.For(fn)
}

func (f *Facts) put(enc *objectpath.Encoder, fn *types.Func, fact Fact) {
	path, err := factPath(enc, fn)
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
	for _, m := range u.list {
		scope := m.Pkg.Scope()
		for _, name := range scope.Names() {
			if o := scope.Lookup(name); o.Exported() {
				r.walk(o.Type())
			}
		}
	}
	for _, n := range r.named {
		if n.Obj().Pkg() == nil || u.has(n.Obj().Pkg()) {
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
}

func (r *reached) walk(t types.Type) {
	if r.done[t] {
		return
	}
	r.done[t] = true
	for u := range components(t) {
		r.walk(u)
	}
	switch t := t.(type) {
	case *types.Alias:
		r.walk(types.Unalias(t))
	case *types.Named:
		r.all = append(r.all, t)
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
	case *types.Signature:
		for p := range t.TypeParams().TypeParams() {
			r.walk(p.Constraint())
		}
	}
}

// components returns the types that a type names: its parts, or type arguments, or the types of an interface or union.
func components(t types.Type) iter.Seq[types.Type] {
	switch t := t.(type) {
	case *types.Named:
		return t.TypeArgs().Types()
	case *types.Interface:
		return func(yield func(types.Type) bool) {
			for m := range t.Methods() {
				if !yield(m.Type()) {
					return
				}
			}
			t.EmbeddedTypes()(yield)
		}
	case *types.Union:
		return func(yield func(types.Type) bool) {
			for e := range t.Terms() {
				if !yield(e.Type()) {
					return
				}
			}
		}
	}
	return parts(t)
}

// parts returns the types of which a type literal is composed, except for interfaces and unions.
func parts(t types.Type) iter.Seq[types.Type] {
	return func(yield func(types.Type) bool) {
		each := func(list iter.Seq[*types.Var]) bool {
			for v := range list {
				if !yield(v.Type()) {
					return false
				}
			}
			return true
		}
		switch t := t.(type) {
		case *types.Map:
			_ = yield(t.Key()) && yield(t.Elem())
		case *types.Struct:
			each(t.Fields())
		case *types.Signature:
			_ = each(t.Params().Variables()) && each(t.Results().Variables())
		case interface{ Elem() types.Type }: // pointers, slices, arrays and channels
			yield(t.Elem())
		}
	}
}

// factsVersion begins the encoding; data of another version counts as none.
const factsVersion = "taskinstr facts 4\n"

const (
	factMemory = 1 << iota
	factNeverReturns
	factFlow
)

const (
	sourceKnown = 1 << iota
	sourceFresh
	sourceDeep
	sourceFrom // From follows, multiplied by this
)

// Encode returns the facts as bytes; equal facts give equal bytes. The bytes are the version,
// the number of different facts and these facts, the number of packages and the packages by
// path: the path, the number of functions and the functions by object path, each with the path
// and the number of its fact. A fact is Sync, the flags and, if there is a contract, the
// parameters and results, each behind their number. Numbers are varints, and a string follows
// its length.
func (f *Facts) Encode() []byte {
	var table, list []byte
	different := map[string]int{}
	text := func(s string) {
		list = binary.AppendUvarint(list, uint64(len(s)))
		list = append(list, s...)
	}
	list = binary.AppendUvarint(list, uint64(len(f.of)))
	for _, pkg := range slices.Sorted(maps.Keys(f.of)) {
		text(pkg)
		list = binary.AppendUvarint(list, uint64(len(f.of[pkg])))
		for _, path := range slices.Sorted(maps.Keys(f.of[pkg])) {
			text(string(path))
			x := f.of[pkg][path].encode()
			n, ok := different[string(x)]
			if !ok {
				n = len(different)
				different[string(x)] = n
				table = append(table, x...)
			}
			list = binary.AppendUvarint(list, uint64(n))
		}
	}
	b := binary.AppendUvarint([]byte(factsVersion), uint64(len(different)))
	return append(append(b, table...), list...)
}

func (x Fact) encode() []byte {
	flags := uint64(0)
	if x.Memory {
		flags |= factMemory
	}
	if x.NeverReturns {
		flags |= factNeverReturns
	}
	if x.Flow != nil {
		flags |= factFlow
	}
	b := binary.AppendUvarint(nil, uint64(x.Sync))
	b = binary.AppendUvarint(b, flags)
	if x.Flow == nil {
		return b
	}
	b = binary.AppendUvarint(b, uint64(len(x.Flow.Params)))
	for _, u := range x.Flow.Params {
		b = append(b, byte(u))
	}
	b = binary.AppendUvarint(b, uint64(len(x.Flow.Results)))
	for _, s := range x.Flow.Results {
		v := uint64(0)
		if s.Known {
			v = sourceKnown | sourceFrom*uint64(s.From)
			if s.Fresh {
				v |= sourceFresh
				if s.Deep {
					v |= sourceDeep
				}
			}
		}
		b = binary.AppendUvarint(b, v)
	}
	return b
}

// A decoder reads numbers and strings; damaged is set once the data is too short.
type decoder struct {
	rest    []byte
	damaged bool
}

func (d *decoder) number() uint64 {
	x, n := binary.Uvarint(d.rest)
	if n <= 0 || d.damaged {
		d.damaged = true
		return 0
	}
	d.rest = d.rest[n:]
	return x
}

// bytes returns the next n bytes.
func (d *decoder) bytes(n uint64) []byte {
	if d.damaged = d.damaged || n > uint64(len(d.rest)); d.damaged {
		return nil
	}
	s := d.rest[:n]
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) text() string { return string(d.bytes(d.number())) }

func (d *decoder) fact() Fact {
	sync, flags := d.number(), d.number()
	x := Fact{Sync: Sync(sync), Memory: flags&factMemory != 0, NeverReturns: flags&factNeverReturns != 0}
	if flags&factFlow == 0 {
		return x
	}
	x.Flow = new(pointsto.Contract)
	for _, u := range d.bytes(d.number()) {
		x.Flow.Params = append(x.Flow.Params, pointsto.Use(u))
	}
	for n := d.number(); n > 0 && !d.damaged; n-- {
		v := d.number()
		x.Flow.Results = append(x.Flow.Results, pointsto.Source{Known: v&sourceKnown != 0, Fresh: v&sourceFresh != 0, Deep: v&sourceDeep != 0, From: uint32(v / sourceFrom)})
	}
	return x
}

// DecodeFacts reads the result of Encode. Data of another version has no facts.
func DecodeFacts(data []byte) (*Facts, error) {
	f := &Facts{of: map[string]map[objectpath.Path]Fact{}}
	rest, ok := bytes.CutPrefix(data, []byte(factsVersion))
	if !ok {
		return f, nil
	}
	d := &decoder{rest: rest}
	var table []Fact
	for n := d.number(); n > 0 && !d.damaged; n-- {
		table = append(table, d.fact())
	}
	for n := d.number(); n > 0 && !d.damaged; n-- {
		pkg, list := d.text(), map[objectpath.Path]Fact{}
		for k := d.number(); k > 0 && !d.damaged; k-- {
			path, i := d.text(), d.number()
			if d.damaged = d.damaged || i >= uint64(len(table)); !d.damaged {
				list[objectpath.Path(path)] = table[i]
			}
		}
		f.of[pkg] = list
	}
	if d.damaged || len(d.rest) > 0 {
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
			if x.Flow != nil {
				fmt.Fprintf(&b, ", %v", x.Flow)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
