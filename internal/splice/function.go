package splice

import (
	"fmt"
	"go/ast"
	"strings"

	"taskinstr/internal/site"
)

// A function is a function body that fetches its own task: the body of a declaration, of a
// literal, or of a loop over a function, which an iterator may run in another goroutine.
// Package-level initializers share one without a body.
type function struct {
	loops    int  // number of loops around the current statement
	checks   int  // number of helper calls that take the task
	indirect bool // some check takes the task as an argument
	big      bool // checks are not inlined here: see site.Big
	nosplit  bool // marked go:nosplit: all checks are of one kind, which never blocks
	global   bool // a package-level initializer, which has no prologue
	inlined  bool // see Config.Inlined
	called   bool // calls of it remain calls, so that its size does not matter

	results   *ast.FieldList        // the named results, for return statements
	addresses map[*ast.Ident]string // variables that hold the addresses of results
	defers    bool                  // the function defers calls
	targets   map[string]bool
	flags     map[string]bool // variables of the plan that are declared here

	versions int            // number of loops with two versions around the current statement
	labels   map[string]int // by label, the number of loops with two versions around its loop

	gathers  []gathered
	deferred ast.Stmt // the statement behind which the variables of gathers are declared: see site.Deferred
	unfit    bool     // no range can be collected here
	resync   string   // the line directive that restores the position behind the prologue
}

// single maps a helper to the helper for functions that are direct.
var single = map[string]string{"_ti_r0": "_ti_r1", "_ti_w0": "_ti_w1", "_ti_rx": "_ti_rx1", "_ti_wx": "_ti_wx1"}

// checks maps a helper to the function that it gets to make checks with, if that is not
// _ti_value.
var checks = map[string]string{"_ti_step": "_ti_each", "_ti_part": "_ti_each"}

// unsplit maps a helper to the helper for functions marked go:nosplit, which neither grows
// the stack nor lets the detector reclaim memory.
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

// inlineChecks is the greatest number of checks in a function whose checks outside loops
// test the shadow inline: programs call small functions often, and the tests in them cost
// the compiler little.
const inlineChecks = 8

// directChecks is the greatest number of checks in a function that leaves the compiler's budget
// for inlining enough for a few more operations.
const directChecks = 2

// direct reports whether the checks fetch the task in the runtime: a function with few checks,
// all outside loops, stays small enough to be inlined. Not inlined, a constructor such as
// bigmod.NewNat in crypto/internal/fips140 puts its object on the heap.
func (fn *function) direct() bool {
	return fn.global || fn.checks <= directChecks && !fn.indirect
}

func (fn *function) prologue(p *pkg) string {
	if fn.checks == 0 || fn.direct() {
		return ""
	}
	begin := "_ti_begin"
	if fn.inlined {
		begin = "_ti_enter"
	}
	p.helpers[begin] = true
	if len(fn.gathers) > 0 {
		p.helpers["_ti_value"] = true
	}
	entry := "_ti_t := " + begin + "(); "
	if text := fn.declared(); text != "" && fn.deferred == nil {
		entry += text + fn.resync
	}
	return entry
}

// use returns the helper that fn calls for the helper name, and the operands that the call begins
// with.
func (p *pkg) use(name string, fn *function) (helper, operands string) {
	switch {
	case fn.nosplit:
		return name, ""
	case name == "_ti_ru" || name == "_ti_wu" || name == "_ti_rlu" || name == "_ti_rcu":
		p.helpers["_ti_value1"] = true
		return name, "_ti_value1,"
	case single[name] != "" && fn.direct():
		p.helpers["_ti_value1"] = true
		return single[name], "_ti_value1,"
	case (name == "_ti_r0" || name == "_ti_w0") && p.cfg.Shadow && fn.checks <= inlineChecks:
		p.helpers["_ti_value"] = true
		return strings.TrimSuffix(name, "0"), "_ti_t,_ti_value,"
	case single[name] != "":
		return name, "_ti_t,"
	}
	check := checks[name]
	if check == "" {
		check = "_ti_value"
	}
	p.helpers[check] = true
	if !fn.direct() {
		return name, "_ti_t," + check + ","
	}
	p.helpers["_ti_enter"] = true
	return name, "_ti_enter()," + check + ","
}

// helper returns the start of a helper call from the current function. Only checks in loops
// test the filter inline: elsewhere the test mostly fails, and compiling it costs more time
// than it saves. In big functions no test is inlined.
func (f *file) helper(name string) part {
	if f.fn.nosplit {
		name = unsplit[name]
	} else if (f.fn.loops == 0 || f.fn.big) && (name == "_ti_r" || name == "_ti_w") {
		name += "0"
	}
	f.fn.note(name)
	return part{kind: partCall, text: name, fn: f.fn}
}

// body rewrites the body of a function.
func (f *file) body(recv *ast.FieldList, t *ast.FuncType, b *ast.BlockStmt) {
	fn, seq := f.fn, f.seq
	last, fits := site.Deferred(b)
	f.fn = &function{addresses: map[*ast.Ident]string{}, targets: site.Gotos(b), deferred: last, defers: last != nil || !fits, unfit: !site.Defers(b), big: site.Big(b), nosplit: f.nosplit, inlined: f.inlined, called: f.called}
	f.inlined, f.called = false, false
	f.nosplit = false // literals in the body are ordinary functions
	f.fn.results = t.Results
	f.entry(b, f.fn)
	if ps := f.firstValues(site.Parameters(recv, t.Params, t.Results)); len(ps) > 0 {
		f.atStart(b, layerInner, ps...)
	}
	f.lateResults(t, b)
	if last != nil {
		at, end := f.Offset(last.Pos()), f.Offset(last.End())
		f.add(at, end, layerGather, source(at, end), part{kind: partGather, fn: f.fn, a: end})
	}
	f.stmts(b.List)
	f.branches(b)
	for _, id := range site.Parameters(t.Results) { // in source order
		if name, ok := f.fn.addresses[id]; ok {
			f.atStart(b, layerInner, text(name+" := &"+id.Name+"; "))
		}
	}
	f.fn, f.seq = fn, seq
}

// entry adds the prologue of fn at the start of block b.
func (f *file) entry(b *ast.BlockStmt, fn *function) {
	pos := f.Fset.PositionFor(b.Lbrace+1, true)
	fn.resync = fmt.Sprintf("/*line :%d:%d*/", pos.Line, max(pos.Column, 1))
	f.atStart(b, layerEntry, part{kind: partEntry, fn: fn})
}

// atStart adds parts behind the opening brace of b.
func (f *file) atStart(b *ast.BlockStmt, l layer, parts ...part) {
	at := f.Offset(b.Lbrace)
	f.add(at, at+1, l, append([]part{source(at, at+1)}, parts...)...)
}

// decl rewrites a package-level declaration.
func (f *file) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Body == nil {
			return
		}
		f.begin(d)
		if f.pkg.cfg.NoCheckptr != nil && f.pkg.cfg.NoCheckptr(d) {
			f.noCheckptr(d)
		}
		f.redirect(d)
		f.lend(d, f.pkg.lent)
		first := len(f.pkg.sites)
		f.body(d.Recv, d.Type, d.Body)
		f.clone(d)
		f.borrow(d, first)
		f.skip = false
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if vs, ok := s.(*ast.ValueSpec); ok && d.Tok.String() == "var" {
				f.globalVar(vs)
			}
		}
	}
}

// begin prepares the walk of function d.
func (f *file) begin(d *ast.FuncDecl) {
	f.skip = f.exempt(d)
	f.temps = 0
	if f.pkg.cfg.Inlined != nil {
		f.inlined = f.pkg.cfg.Inlined(d)
		f.called = !f.inlined
	}
}

// noCheckptr marks the function, if there is a line for the directive: the empty line in front of the declaration, or a line of
// its comment.
func (f *file) noCheckptr(d *ast.FuncDecl) {
	start := d.Pos()
	if d.Doc != nil {
		start = d.Doc.Pos()
	}
	if at := f.Offset(start); at > 1 && string(f.Text[at-2:at]) == "\n\n" {
		f.add(at-1, at, layerList, text("//go:nocheckptr"), source(at-1, at))
		return
	}
	if d.Doc == nil {
		return
	}
	for _, c := range d.Doc.List {
		if strings.HasPrefix(c.Text, "// ") {
			at := f.Offset(c.Pos())
			f.add(at, at+len(c.Text), layerList, text("//go:nocheckptr"))
			return
		}
	}
}

// exempt reports whether the function gets no checks, and counts the reason. It notes
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

// globalVar rewrites the initializers of package-level variables. It leaves two kinds of
// initializers alone: values that need no code, so that they remain static data, and all
// initializers that run before there is another task.
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

// initialized adds the write checks of variables whose initializers are code. The check
// cannot stand inside the initializer, which must not refer to its own variable. So
// it initializes a blank variable, which is declared right behind.
func (f *file) initialized(vs *ast.ValueSpec) {
	var parts []part
	for _, n := range vs.Names {
		if n.Name == "_" || f.Size(f.Info.Defs[n].Type()) == 0 {
			continue
		}
		if len(parts) > 0 {
			parts = append(parts, text(", "))
		}
		parts = append(parts, f.helper("_ti_w").of(f.TypeOf(n)), text("&"+n.Name+","+f.newSite(n, "variable "+n.Name)+")"))
		f.pkg.stats.Writes++
	}
	if len(parts) == 0 {
		return
	}
	// In a group the keyword must not be repeated; outside it must be.
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
	a, b := f.Offset(vs.Pos()), f.Offset(vs.End())
	f.add(a, b, layerHost, append([]part{source(a, b), text(blank + " = ")}, parts...)...)
}

// grouped reports whether vs is in a parenthesized declaration.
func (f *file) grouped(vs *ast.ValueSpec) bool {
	for _, d := range f.Syntax.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Lparen.IsValid() && g.Pos() <= vs.Pos() && vs.End() <= g.End() {
			return true
		}
	}
	return false
}

// funcLit rewrites a function literal. A literal in an initializer runs later: it has
// checks even if the initializer needs none.
func (f *file) funcLit(l *ast.FuncLit) {
	skip := f.skip
	f.skip = skip && !f.fn.global
	f.body(nil, l.Type, l.Body)
	f.skip = skip
}
