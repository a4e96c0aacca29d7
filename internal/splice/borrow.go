package splice

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"strconv"

	"taskinstr/internal/site"
)

// A function can have a copy for callers whose task alone reaches the memory to which the first operand
// points, the receiver of a method. The copy lacks the checks of that memory, and has all others. It is
// a function, also for a method: reflection does not see it, and a call of another package can name it.
// A call goes to the copy if the package that declares the function has one: the names that a compiled
// package declares tell it to its importers.

// A Borrower is a function that gets such a copy.
type Borrower struct {
	Func site.Pos   // the name in the declaration
	Omit []site.Key // the accesses that the copy does not check
	Lent []site.Pos // the called names in the body whose calls go to copies, in this copy only
}

// borrowerMark separates the parts of a copy's name. The letter occurs in no other name.
const borrowerMark = "ꞏ"

// BorrowerSuffix ends the linker's name of a copy, behind the function's own name. The runtime leaves the suffix
// out of the names that programs see.
const BorrowerSuffix = borrowerMark + "copy"

// BorrowerName returns the name of the copy of a function: Ti_bꞏF of F, Ti_bꞏTꞏM of the method M of T and *T.
// The copies of functions that other packages cannot call begin with an underscore.
func BorrowerName(fn *types.Func) string {
	name := "_ti_b" + borrowerMark
	if fn.Exported() {
		name = "Ti_b" + borrowerMark
	}
	if recv := fn.Signature().Recv(); recv != nil {
		if n, ok := types.Unalias(site.Elem(recv.Type())).(*types.Named); ok {
			name += n.Obj().Name() + borrowerMark
		}
	}
	return name + fn.Name()
}

// ImportsBorrower reports whether a function of an imported package has a copy.
func ImportsBorrower(fn *types.Func) bool {
	_, ok := fn.Pkg().Scope().Lookup(BorrowerName(fn)).(*types.Func)
	return ok
}

// Copied returns a function that reports whether a function of the package gets such a copy.
func (p *Plan) Copied(fset *token.FileSet) func(*ast.FuncDecl) bool {
	var copied map[site.Pos]bool
	if p != nil {
		copied = p.borrowing()
	}
	return func(d *ast.FuncDecl) bool {
		pos := fset.Position(d.Name.Pos())
		return copied[site.Pos{File: filepath.Base(pos.Filename), Line: pos.Line, Col: pos.Column}]
	}
}

// borrowing returns the places of the names of the Borrowers.
func (p *Plan) borrowing() map[site.Pos]bool {
	m := make(map[site.Pos]bool, len(p.Borrowers))
	for _, x := range p.Borrowers {
		m[x.Func] = true
	}
	return m
}

// findBorrowers finds the functions of the package that get copies, and the calls that may go to one.
func (p *pkg) findBorrowers(files []*file) {
	if p.cfg.Plan == nil || p.cfg.Branches {
		return
	}
	found := declarations(files, p.cfg.Plan.borrowing())
	p.borrowers = map[*types.Func]*Borrower{}
	for i, o := range p.cfg.Plan.Borrowers {
		d := found[o.Func]
		if d.FuncDecl == nil || p.inlinesLiteral(d.FuncDecl) {
			continue
		}
		if fn, ok := p.Info.Defs[d.Name].(*types.Func); ok && p.Pkg.Scope().Lookup(BorrowerName(fn)) == nil {
			p.borrowers[fn] = &p.cfg.Plan.Borrowers[i]
		}
	}
	p.lent = places(p.cfg.Plan.Lent)
}

// inlinesLiteral reports whether the function has a function literal, and the compiler may inline the function: the
// literal's name, which programs see, would then contain the name of the copy.
func (p *pkg) inlinesLiteral(d *ast.FuncDecl) (has bool) {
	if p.cfg.Inlined != nil && !p.cfg.Inlined(d) {
		return false
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		_, is := n.(*ast.FuncLit)
		has = has || is
		return !has
	})
	return has
}

// places returns the elements of a list as a set.
func places[T comparable](list []T) map[T]bool {
	m := make(map[T]bool, len(list))
	for _, at := range list {
		m[at] = true
	}
	return m
}

// lend has the calls in function d whose called names stand at the places go to copies.
func (f *file) lend(d *ast.FuncDecl, at map[site.Pos]bool) {
	if len(at) == 0 || !f.plan || f.skip || f.nosplit {
		return
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if id := called(c); id != nil && at[f.PosOf(id.Pos())] && !f.goesTo(id) {
				f.lendTo(c, id)
			}
		}
		return true
	})
}

// goesTo reports whether the call of a name may go to a clone (version.go).
func (f *file) goesTo(id *ast.Ident) bool {
	_, in := f.pkg.cloneCalls[f.PosOf(id.Pos())]
	_, wherever := f.pkg.redirected[f.PosOf(id.Pos())]
	return in || wherever
}

// lendTo has a call go to the copy of the called function, if there is one.
func (f *file) lendTo(c *ast.CallExpr, id *ast.Ident) {
	fn, ok := f.Info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil || f.pkg.borrowers[fn] == nil && (fn.Pkg() == f.pkg.Pkg || !ImportsBorrower(fn)) {
		return
	}
	if fn.Signature().Recv() == nil {
		f.add(f.Offset(id.Pos()), f.Offset(id.End()), layerRead, text(BorrowerName(fn)))
		return
	}
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || len(c.Args) == 1 && isTuple(f.TypeOf(c.Args[0])) {
		return // no further operand can stand before several results
	}
	amp, path, ok := f.operand(f.Info.Selections[sel])
	if !ok {
		return
	}
	name := BorrowerName(fn)
	if fn.Pkg() != f.pkg.Pkg {
		q := f.qualifier(fn.Pkg())
		if q == "" {
			return
		}
		name = q + "." + name
	}
	if len(c.Args) > 0 {
		path += ","
	}
	a, b, end := f.Offset(sel.X.Pos()), f.Offset(sel.X.End()), f.Offset(c.Lparen)+1
	parts := []part{text(name + "(" + amp)}
	if f.multiline(a, end) { // a call has the line of its parenthesis
		parts = []part{text(name), f.resync(end - 1), text("(" + amp), f.resync(a)}
	}
	parts = append(parts, source(a, b), text(path))
	if f.multiline(b, end) {
		parts = append(parts, f.resync(end))
	}
	f.add(f.Offset(c.Pos()), end, layerRead, parts...)
}

// operand returns the text around x in the first operand of a call x.M: the embedded fields that lead to M,
// and in front of x the operator that takes the address. ok is false if the method needs no pointer, or if the
// file cannot spell a field, or reads one.
func (f *file) operand(s *types.Selection) (amp, path string, ok bool) {
	if s == nil || s.Kind() != types.MethodVal || !site.IsPointer(s.Obj().(*types.Func).Signature().Recv().Type()) {
		return "", "", false
	}
	t, fields := s.Recv(), s.Index()[:len(s.Index())-1]
	for n, i := range fields {
		if n > 0 && site.IsPointer(t) {
			return "", "", false
		}
		v := site.Elem(t).Underlying().(*types.Struct).Field(i)
		if !v.Exported() && v.Pkg() != f.pkg.Pkg {
			return "", "", false
		}
		path += "." + v.Name()
		t = v.Type()
	}
	if !site.IsPointer(t) {
		return "&", path, true
	}
	return "", path, len(fields) == 0
}

func isTuple(t types.Type) bool { _, ok := t.(*types.Tuple); return ok }

// qualifier returns the name by which the file refers to a directly imported package, "" if none of
// the package's files imports it.
func (f *file) qualifier(to *types.Package) string {
	if f.outer != nil {
		return f.outer.qualifier(to)
	}
	if f.qualifiers == nil {
		f.qualifiers = map[*types.Package]string{}
	}
	if q, ok := f.qualifiers[to]; ok {
		return q
	}
	q, path := "", f.pkg.importPath(to)
	if path != "" {
		q = "_ti_q" + strconv.Itoa(len(f.qualifiers))
		a, b := f.Offset(f.Syntax.Name.Pos()), f.Offset(f.Syntax.Name.End())
		f.add(a, b, layerEntry, source(a, b), text("; import "+q+" "+path)) // in front of the tables, see addTables
	}
	f.qualifiers[to] = q
	return q
}

// importPath returns the path of an imported package as the source spells it, "" if no file imports it.
func (p *pkg) importPath(to *types.Package) string {
	if p.importPaths == nil {
		p.importPaths = map[*types.Package]string{}
		for _, f := range p.FilesOf() {
			for _, s := range f.Syntax.Imports {
				if name := p.Info.PkgNameOf(s); name != nil && !site.CgoFile(f.Token.Name()) {
					p.importPaths[name.Imported()] = s.Path.Value
				}
			}
		}
	}
	return p.importPaths[to]
}

// borrow adds the copy of function d, if it gets one. The table of sites has rows for the checks of
// the function from row first on; the same checks of the copy use these rows.
func (f *file) borrow(d *ast.FuncDecl, first int) {
	fn, _ := f.Info.Defs[d.Name].(*types.Func)
	o := f.pkg.borrowers[fn]
	if o == nil {
		return
	}
	p := f.pkg
	stats := p.stats
	p.rows = newRowTwins(p.sites, first)
	g := p.newFile(f.File)
	g.plan, g.outer, g.omits = true, f, places(o.Omit)
	g.begin(d)
	lent := places(o.Lent)
	maps.Copy(lent, p.lent)
	g.lend(d, lent)
	g.redirect(d)
	g.signature(d, BorrowerName(fn))
	g.body(d.Recv, d.Type, d.Body)
	a, b := f.Offset(d.Pos()), f.Offset(d.End())
	f.add(a, b, layerList, source(a, b), text("; "), f.resync(a), text(string(g.rendered(a, b))), f.resync(b))
	maps.Copy(f.uses, g.uses)
	p.linked = append(p.linked, BorrowerName(fn)+" "+site.LinkName(fn, p.cfg.Path)+BorrowerSuffix)
	p.sites = p.rows.trim(p.sites)
	p.stats, p.rows = stats, nil
}

// signature renames function d, and makes its receiver the first parameter.
func (f *file) signature(d *ast.FuncDecl, name string) {
	if d.Recv == nil {
		f.add(f.Offset(d.Name.Pos()), f.Offset(d.Name.End()), layerRead, text(name))
		return
	}
	recv, sep := d.Recv.List[0], ""
	of := "_"
	if len(recv.Names) > 0 {
		of = recv.Names[0].Name
	}
	if len(d.Type.Params.List) > 0 {
		sep = ", "
	}
	open := f.Offset(d.Type.Params.Opening)
	f.add(f.Offset(d.Pos()), open+1, layerRead, text("func "+name+"("+of+" "+f.TextOf(recv.Type)+sep), f.resync(open+1))
}

// rowTwins finds the row of the table of sites that a check of a copy shares with the function's own check.
type rowTwins struct {
	end   int // number of rows in front of the copy's rows
	known map[rowKey][]int
	used  bool // a check of the copy has a row of its own
}

type rowKey struct {
	pos        token.Pos
	expr, what string
	kind       site.Kind
}

func newRowTwins(rows []Row, first int) *rowTwins {
	s := &rowTwins{end: len(rows), known: map[rowKey][]int{}}
	for i := first; i < len(rows); i++ {
		s.known[rows[i].key()] = append(s.known[rows[i].key()], i)
	}
	return s
}

func (r *Row) key() rowKey { return rowKey{r.Pos, r.Expr, r.What, r.Kind} }

// number returns the number of the row for the check that row i of the copy describes.
func (s *rowTwins) number(row *Row, i int) int {
	list := s.known[row.key()]
	if len(list) == 0 {
		s.used = true
		return i
	}
	if len(list) > 1 {
		s.known[row.key()] = list[1:]
	}
	return list[0]
}

// trim drops the rows of the copy, unless some of them are in use.
func (s *rowTwins) trim(rows []Row) []Row {
	if s.used {
		return rows
	}
	return rows[:s.end]
}
