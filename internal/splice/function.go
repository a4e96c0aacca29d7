package splice

import (
	"fmt"
	"go/ast"
	"strings"

	"taskinstr/internal/site"
)

// A function is a function body that fetches its task itself: a declaration, a
// literal, or the body of a loop over a function, which an iterator may run in
// another goroutine. Package-level initializers share one without a body.
type function struct {
	loops    int  // loops around the statement being rewritten
	checks   int  // helper calls that take the task
	indirect bool // some check needs the task at hand
	nosplit  bool // marked go:nosplit: checks of one kind only, which never block
	global   bool // a package-level initializer: no prologue

	results   *ast.FieldList        // named results, for return statements
	addresses map[*ast.Ident]string // variables that hold the addresses of results
	defers    bool                  // the function defers calls
	targets   map[string]bool
	flags     map[string]bool // variables of the plan that can be used here

	versions int            // loops in two versions around the statement
	labels   map[string]int // how many are around the loop with this label

	gathers  []gathered
	deferred ast.Stmt // behind which their variables are declared: see Deferred
	unfit    bool     // nothing can be gathered
	resync   string   // restores the position behind the prologue
}

// single names the helper for the only check of a function.
var single = map[string]string{"_ti_r0": "_ti_r1", "_ti_w0": "_ti_w1"}

// unsplit names the helper for functions that must not be preempted: it neither
// grows the stack nor lets the detector tidy up.
var unsplit = map[string]string{"_ti_r": "_ti_rn", "_ti_w": "_ti_wn"}

// note records a helper call.
func (fn *function) note(name string) {
	if fn.nosplit {
		return
	}
	fn.checks++
	if fn.loops > 0 || single[name] == "" {
		fn.indirect = true
	}
}

// inlineChecks is how many checks a function may have for them to look at the shadow inline
// outside of loops, too: small functions are called often, and cost the compiler little.
const inlineChecks = 8

// direct reports whether checks ask the runtime for the task themselves: a
// function with a single check outside loops stays small enough to be inlined.
func (fn *function) direct() bool { return fn.global || fn.checks == 1 && !fn.indirect }

func (fn *function) prologue(p *pkg) string {
	if fn.checks == 0 || fn.direct() {
		return ""
	}
	p.helpers["_ti_enter"] = true
	if len(fn.gathers) > 0 {
		p.helpers["_ti_value"] = true
	}
	entry := "_ti_t := _ti_enter(); "
	if text := fn.declared(); text != "" && fn.deferred == nil {
		entry += text + fn.resync
	}
	return entry
}

// use returns the opening of a call of the helper from fn.
func (p *pkg) use(name string, fn *function) string {
	switch {
	case fn.nosplit:
		p.helpers[name] = true
		return name + "("
	case single[name] != "" && fn.direct():
		name = single[name]
		p.helpers[name] = true
		return name + "("
	case single[name] != "" && p.cfg.Shadow && fn.checks <= inlineChecks:
		name = strings.TrimSuffix(name, "0")
		p.helpers[name], p.helpers["_ti_value"] = true, true
		return name + "(_ti_t,_ti_value,"
	case single[name] != "":
		p.helpers[name] = true
		return name + "(_ti_t,"
	case !fn.direct():
		p.helpers[name], p.helpers["_ti_value"] = true, true
		return name + "(_ti_t,_ti_value,"
	}
	p.helpers[name], p.helpers["_ti_value"], p.helpers["_ti_enter"] = true, true, true
	return name + "(_ti_enter(),_ti_value,"
}

// helper returns the opening of a helper call from the current function. The
// filter is tested inline in loops only: elsewhere it mostly misses, and the
// code costs more time to compile than it saves.
func (f *file) helper(name string) part {
	if f.fn.nosplit {
		name = unsplit[name]
	} else if f.fn.loops == 0 && (name == "_ti_r" || name == "_ti_w") {
		name += "0"
	}
	f.fn.note(name)
	return part{kind: partCall, text: name, fn: f.fn}
}

// body rewrites a function body.
func (f *file) body(recv *ast.FieldList, t *ast.FuncType, b *ast.BlockStmt) {
	fn, seq := f.fn, f.seq
	last, fits := site.Deferred(b)
	f.fn = &function{targets: site.Gotos(b), deferred: last, defers: last != nil || !fits, unfit: !fits, nosplit: f.nosplit}
	f.nosplit = false // literals inside are functions like others
	f.fn.results = t.Results
	f.entry(b, f.fn)
	if ps := f.firstValues(site.Parameters(recv, t.Params, t.Results)); len(ps) > 0 {
		f.atStart(b, layerInner, ps...)
	}
	f.lateResults(t, b)
	if last != nil {
		at, end := f.offset(last.Pos()), f.offset(last.End())
		f.add(at, end, layerGather, source(at, end), part{kind: partGather, fn: f.fn, a: end})
	}
	f.stmts(b.List)
	f.branches(b)
	for _, id := range site.Parameters(t.Results) { // in the order of the source
		if name, ok := f.fn.addresses[id]; ok {
			f.atStart(b, layerInner, text(name+" := &"+id.Name+"; "))
		}
	}
	f.fn, f.seq = fn, seq
}

// entry puts fn's prologue at the start of block b.
func (f *file) entry(b *ast.BlockStmt, fn *function) {
	pos := f.Fset.PositionFor(b.Lbrace+1, true)
	fn.resync = fmt.Sprintf("/*line :%d:%d*/", pos.Line, max(pos.Column, 1))
	f.atStart(b, layerEntry, part{kind: partEntry, fn: fn})
}

// atStart inserts parts behind the opening brace of b.
func (f *file) atStart(b *ast.BlockStmt, l layer, parts ...part) {
	at := f.offset(b.Lbrace)
	f.add(at, at+1, l, append([]part{source(at, at+1)}, parts...)...)
}

// decl rewrites a package-level declaration.
func (f *file) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Body == nil {
			return
		}
		f.skip = f.exempt(d)
		f.temps = 0
		f.body(d.Recv, d.Type, d.Body)
		f.clone(d)
		f.skip = false
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if vs, ok := s.(*ast.ValueSpec); ok && d.Tok.String() == "var" {
				f.globalVar(vs)
			}
		}
	}
}

// exempt reports whether the function gets no checks, and counts why. It notes
// whether the function is marked go:nosplit.
func (f *file) exempt(d *ast.FuncDecl) bool {
	switch site.DirectiveOf(d) {
	case site.Cgo:
		f.pkg.stats.Cgo++
		return true
	case site.NoRace:
		f.pkg.stats.NoRace++
		return true
	case site.NoSplit:
		f.nosplit = true
		f.pkg.stats.NoSplit++
		return f.pkg.cfg.Unoptimized
	}
	return false
}

// globalVar rewrites the initializer of a package-level variable. Values that
// need no code stay untouched, so that they remain static data; so do all
// where initializers run before there is another task.
func (f *file) globalVar(vs *ast.ValueSpec) {
	f.fn = &function{global: true}
	f.temps = 0
	dynamic := false
	for _, v := range vs.Values {
		f.seq = &sequence{root: v}
		skip := f.skip
		f.skip = f.skip || f.InitialAlone() || !f.Dynamic(v)
		dynamic = dynamic || !f.skip
		f.rvalue(v)
		f.skip = skip
	}
	if dynamic && !f.skip {
		f.initialized(vs)
	}
	f.fn, f.seq = nil, nil
}

// initialized adds the write checks of variables that code initializes. The
// check cannot stand inside the initializer, which must not refer to its own
// variable; a blank variable behind it is initialized next.
func (f *file) initialized(vs *ast.ValueSpec) {
	var parts []part
	for _, n := range vs.Names {
		if n.Name == "_" || f.Size(f.Info.Defs[n].Type()) == 0 {
			continue
		}
		if len(parts) > 0 {
			parts = append(parts, text(", "))
		}
		parts = append(parts, f.helper("_ti_w"), text("&"+n.Name+","+f.site(n, "variable "+n.Name, site.Write)+")"))
		f.pkg.stats.Writes++
	}
	if len(parts) == 0 {
		return
	}
	// Inside a group the keyword must not be repeated; alone it must.
	blank := "; var _"
	if f.grouped(vs) {
		blank = "; _"
	}
	n := 0
	for _, p := range parts {
		if p.kind == partCall {
			n++
		}
	}
	for range n - 1 {
		blank += ", _"
	}
	a, b := f.offset(vs.Pos()), f.offset(vs.End())
	f.add(a, b, layerHost, append([]part{source(a, b), text(blank + " = ")}, parts...)...)
}

// grouped reports whether vs stands in a parenthesized declaration.
func (f *file) grouped(vs *ast.ValueSpec) bool {
	for _, d := range f.ast.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Lparen.IsValid() && g.Pos() <= vs.Pos() && vs.End() <= g.End() {
			return true
		}
	}
	return false
}

// funcLit rewrites a function literal. One in an initializer runs later: it has
// its checks even where the initializer itself needs none.
func (f *file) funcLit(l *ast.FuncLit) {
	skip := f.skip
	f.skip = skip && !f.fn.global
	f.body(nil, l.Type, l.Body)
	f.skip = skip
}
