package accesses

import (
	"cmp"
	"fmt"
	"go/version"
	"maps"
	"slices"
	"strings"
	"sync"

	"taskinstr/internal/golist"
	"taskinstr/internal/site"
	"taskinstr/internal/splice"
)

// The side that has an access which the other side lacks.
const (
	compilerOnly = "compiler"
	checksOnly   = "checks"
)

// A Difference is an access that one side alone has.
type Difference struct {
	Only     string `json:"only"`            // compiler or checks
	Class    string `json:"class,omitempty"` // "": unexplained
	Position string `json:"position"`
	Kind     Kind   `json:"kind"`
	Function string `json:"function,omitempty"` // the compiler's symbol
	Call     string `json:"call,omitempty"`     // the compiler's call
	Node     string `json:"node,omitempty"`     // the kind of syntax
	Expr     string `json:"expression,omitempty"`
}

// An Audit is the result of comparing packages.
type Audit struct {
	Target      string       `json:"target"`
	Packages    int          `json:"packages"`
	Compiler    int          `json:"compiler"` // number of compiler accesses
	Matched     int          `json:"matched"`  // number of compiler accesses with a check
	Checks      int          `json:"checks"`
	Differences []Difference `json:"differences"`
	Skipped     []string     `json:"skipped,omitempty"` // packages that need cgo
	ByLine      []string     `json:"byLine,omitempty"`  // packages compared line by line; see listing.coarse
	Failed      []string     `json:"failed,omitempty"`  // packages that could not be compared, and why
}

// add adds b, the result for other packages, to a.
func (a *Audit) add(b Audit) {
	a.Compiler += b.Compiler
	a.Matched += b.Matched
	a.Checks += b.Checks
	a.Differences = append(a.Differences, b.Differences...)
}

// audit compares the requested packages.
func (w *world) audit(progress func(format string, args ...any)) (*Audit, error) {
	r := &Audit{}
	var mu sync.Mutex
	for _, u := range w.units {
		switch {
		case audited(u):
			r.Packages++
		case !u.DepOnly && len(u.CgoFiles) > 0:
			r.Skipped = append(r.Skipped, u.ImportPath)
		}
	}
	n := 0
	l, err := w.compileAll(func(u *golist.Package) {
		mu.Lock()
		defer mu.Unlock()
		n++
		progress("compiling %d/%d: %s", n, r.Packages, u.ImportPath)
	})
	if err != nil {
		return nil, err
	}
	for _, err := range l.failed {
		r.Failed = append(r.Failed, err.Error())
	}
	slices.Sort(r.Failed)
	r.ByLine = slices.Sorted(slices.Values(l.coarse))
	r.add(generated(l))

	parts := make([]Audit, len(w.units))
	errs := make([]error, len(w.units))
	slots := make(chan struct{}, w.parallel)
	var wg sync.WaitGroup
	for i, u := range w.units {
		if !audited(u) && !slices.ContainsFunc(u.Files(), func(f string) bool { return len(l.accesses[f]) > 0 }) {
			continue
		}
		slots <- struct{}{}
		if w.ctx.Err() != nil {
			return nil, w.ctx.Err()
		}
		progress("comparing %s", u.ImportPath)
		wg.Go(func() {
			defer func() { <-slots }()
			parts[i], errs[i] = w.compare(u, l)
		})
	}
	wg.Wait()
	for i, p := range parts {
		if errs[i] != nil {
			r.Failed = append(r.Failed, fmt.Sprintf("%s: %v", w.units[i].ImportPath, errs[i]))
			continue
		}
		r.add(p)
	}
	r.add(w.nowhere(l))
	return r, nil
}

// generated returns the accesses in functions that the compiler makes.
func generated(l *listing) (r Audit) {
	for _, name := range slices.Sorted(maps.Keys(l.generated)) {
		for _, k := range slices.Sorted(maps.Keys(l.generated[name])) {
			r.Compiler++
			r.Differences = append(r.Differences, Difference{
				Only: compilerOnly, Class: classOfGenerated(name, k), Position: generatedFile, Kind: k, Function: name,
			})
		}
	}
	return r
}

// nowhere returns the accesses in files that no package has. A line directive names such a
// file, in a package outside of the request.
func (w *world) nowhere(l *listing) (r Audit) {
	packaged := map[string]bool{}
	for _, u := range w.units {
		for _, n := range u.Files() {
			packaged[n] = true
		}
	}
	for _, file := range slices.Sorted(maps.Keys(l.accesses)) {
		if packaged[file] {
			continue
		}
		for _, a := range l.accesses[file] {
			r.Compiler++
			r.Differences = append(r.Differences, Difference{
				Only: compilerOnly, Class: directed.Name, Position: fmt.Sprintf("%s:%d", file, a.line), Kind: a.kind, Function: a.functions[0], Call: a.callee,
			})
		}
	}
	slices.SortFunc(r.Differences, func(a, b Difference) int {
		return cmp.Or(strings.Compare(a.Position, b.Position), strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Call, b.Call))
	})
	return r
}

// files compares the files of one package.
func (w *world) files(u *golist.Package, l *listing) ([]*comparison, error) {
	p, err := w.check(u)
	if err != nil {
		return nil, err
	}
	var list []spliced
	if _, skip := site.Skip(u.ImportPath); !skip {
		r, err := splice.Package(splice.Config{
			Source:     p.Source,
			FreshLoops: version.Compare(version.Lang(w.goVersion), "go1.26") < 0,
		})
		if err != nil {
			return nil, err
		}
		list = sites(r, p.Fset)
	}
	files, err := comparisons(p, list)
	if err != nil {
		return nil, err
	}
	for _, c := range files {
		c.code = l.code[c.name]
		c.match(l.accesses[c.name])
	}
	return files, nil
}

// compare compares one package.
func (w *world) compare(u *golist.Package, l *listing) (r Audit, err error) {
	files, err := w.files(u, l)
	if err != nil {
		return r, err
	}
	_, skip := site.Skip(u.ImportPath)
	for _, c := range files {
		r.Compiler += len(c.accesses)
		r.Matched += len(c.accesses) - len(c.missing)
		for _, a := range c.missing {
			d := c.missed(a)
			if skip {
				d.Class = leftOut.Name
			}
			r.Differences = append(r.Differences, d)
		}
		if !audited(u) {
			continue
		}
		r.Checks += len(c.checks)
		for _, k := range c.checks {
			if !k.used {
				r.Differences = append(r.Differences, c.surplus(k))
			}
		}
	}
	return r, nil
}

// missed describes an access that only the compiler has.
func (c *comparison) missed(a *access) Difference {
	d := Difference{
		Only: compilerOnly, Class: c.classOf(a), Position: fmt.Sprintf("%s:%d", c.name, a.line),
		Kind: a.kind, Function: a.functions[0], Call: a.callee,
	}
	if a.offset >= 0 {
		q := c.pkg.Fset.PositionFor(c.tok.Pos(a.offset), false)
		d.Position = fmt.Sprintf("%s:%d:%d", c.name, q.Line, q.Column)
		for _, n := range c.at[a.offset] {
			d.Node, d.Expr = nodeName(n), site.Text(c.text(n))
		}
	}
	return d
}

// surplus describes an access that only the checks have.
func (c *comparison) surplus(k *check) Difference {
	return Difference{
		Only: checksOnly, Class: c.classOfCheck(k), Position: fmt.Sprintf("%s:%d:%d", c.name, k.position.Line, k.position.Column),
		Kind: k.kind, Node: nodeName(k.node), Expr: k.expr,
	}
}
