package ssapass

import (
	"go/scanner"
	"go/token"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// This file finds function bodies that cannot run before any package is type-checked.
// Most functions of the dependencies of a program never run. Their bodies cost more than
// the rest of the analysis: syntax trees, types of expressions, SSA.
//
// The algorithm is rapid type analysis over identifiers instead of types. It reads the
// tokens of each declaration. A live declaration makes live each declaration that one of
// its identifiers may denote: in its own package, or behind a period in an imported
// package. A method is live if its receiver type is live and a live declaration has the
// name of the method behind a period. Roots are variables, constants, initializers,
// functions main, functions that directives and assembly name, and everything in the
// packages that the caller keeps whole.
//
// The result needs no proof: Load checks it. If rapid type analysis over SSA reaches a
// function without its body, Load begins again with the body of that function.

// A pruner decides which function bodies of a program are not loaded.
type pruner struct {
	pkgs    []*packages.Package
	number  map[*packages.Package]int32
	whole   func(*packages.Package) bool // keeps all bodies of the package
	shared  map[string]bool              // files of several packages; they keep their bodies
	forced  map[bodyName]bool            // bodies that an earlier attempt lacked
	names   map[string]int32
	named   map[int32]bool // names in directives and assembly
	decls   []prunable
	top     []map[int32][]int32   // by package and name: declarations of functions and types
	byName  map[int32][]int32     // exported declarations of functions and types, by name
	methods []map[int32][]int32   // by package and name of the receiver's type
	imports []map[int32]bool      // by package
	dot     []bool                // packages with a dot import
	called  map[int32][]int32     // methods of live types that wait for their name
	spoken  map[int32]bool        // names behind a period in live declarations
	spread  map[[2]int32]bool     // package and name behind a period, once followed
	reflect bool                  // exported methods of live types are live
	byFile  map[string][]bodyText // bodies that are left out
	work    []int32
}

// A prunable is a declaration. Only functions and methods have a body to leave out.
type prunable struct {
	pkg      int32
	name     int32
	exported bool
	live     bool
	method   bool // or function
	kept     bool // the body stays in any case
	file     string
	body     bodyText
	words    []int32 // names that it mentions; a negative number is a name behind a period
}

// A bodyText is the text of a function's body, from brace to brace, and the position of the
// function's name. The body is left out, or another statement stands in for it.
type bodyText struct {
	name, start, end int
	standIn          string
}

// A bodyName identifies a body between two attempts to load a program.
type bodyName struct {
	file string
	name int // offset of the function's name
}

// Names with a meaning for reflection.
const (
	methodByName = "MethodByName"
	methodCall   = "Method(" // a call of Method; the name without a call is common
)

func newPruner(pkgs []*packages.Package, whole func(*packages.Package) bool, forced map[bodyName]bool) *pruner {
	r := &pruner{
		pkgs: pkgs, whole: whole, forced: forced, number: map[*packages.Package]int32{}, shared: map[string]bool{}, names: map[string]int32{}, named: map[int32]bool{},
		top: make([]map[int32][]int32, len(pkgs)), methods: make([]map[int32][]int32, len(pkgs)), imports: make([]map[int32]bool, len(pkgs)),
		dot: make([]bool, len(pkgs)), byName: map[int32][]int32{}, called: map[int32][]int32{}, spoken: map[int32]bool{},
		spread: map[[2]int32]bool{}, byFile: map[string][]bodyText{},
	}
	r.id("") // names begin at 1: the sign of a word has a meaning
	seen := map[string]bool{}
	for i, pkg := range pkgs {
		r.number[pkg] = int32(i)
		for _, f := range pkg.CompiledGoFiles {
			r.shared[f] = seen[f]
			seen[f] = true
		}
	}
	return r
}

func (r *pruner) id(name string) int32 {
	n, ok := r.names[name]
	if !ok {
		n = int32(len(r.names))
		r.names[strings.Clone(name)] = n
	}
	return n
}

// run finds the live declarations. Afterwards byFile has the other bodies.
func (r *pruner) run() error {
	var roots []int32
	for i, pkg := range r.pkgs {
		r.top[i], r.methods[i], r.imports[i] = map[int32][]int32{}, map[int32][]int32{}, map[int32]bool{}
		for _, p := range pkg.Imports {
			if n, ok := r.number[p]; ok {
				r.imports[i][n] = true
			}
		}
		if opaque(pkg.PkgPath) {
			continue
		}
		for _, name := range pkg.CompiledGoFiles {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			roots = append(roots, r.scan(int32(i), name, text)...)
		}
		for _, name := range asmNames(pkg) {
			r.directive(name)
		}
	}
	for _, d := range roots {
		r.enliven(d)
	}
	for i := range r.decls {
		if d := &r.decls[i]; d.method && r.named[d.name] {
			r.enliven(int32(i))
		}
	}
	for d := range drain(&r.work) {
		r.follow(&r.decls[d])
	}
	for i := range r.decls {
		if d := &r.decls[i]; !d.live && d.method && !d.kept && !r.shared[d.file] {
			r.byFile[d.file] = append(r.byFile[d.file], d.body)
		}
	}
	r.decls, r.top, r.methods, r.byName, r.called, r.spread = nil, nil, nil, nil, nil, nil
	return nil
}

// directive notes that functions with the last name of a symbol may run. The symbol comes
// from a directive or from assembly.
func (r *pruner) directive(symbol string) {
	r.named[r.id(symbol[strings.LastIndexByte(symbol, '.')+1:])] = true
}

func (r *pruner) enliven(i int32) {
	if d := &r.decls[i]; !d.live {
		d.live = true
		r.work = append(r.work, i)
	}
}

// follow makes live what the words of declaration d may denote.
func (r *pruner) follow(d *prunable) {
	if !d.method && d.name != 0 { // a type
		for _, m := range r.methods[d.pkg][d.name] {
			if n := r.decls[m].name; r.spoken[n] || r.reflect && r.decls[m].exported {
				r.enliven(m)
			} else {
				r.called[n] = append(r.called[n], m)
			}
		}
	}
	for _, w := range d.words {
		if w > 0 {
			for _, t := range r.top[d.pkg][w] {
				r.enliven(t)
			}
			if !r.dot[d.pkg] {
				continue
			}
			w = -w
		}
		w = -w
		if !r.spoken[w] {
			r.spoken[w] = true
			for _, m := range r.called[w] {
				r.enliven(m)
			}
			delete(r.called, w)
		}
		// Package reflect itself may have spoken the name before.
		if (w == r.names[methodByName] || w == r.names[methodCall]) && !r.reflect && r.pkgs[d.pkg].PkgPath != "reflect" {
			r.openMethods()
		}
		if k := [2]int32{d.pkg, w}; !r.spread[k] {
			r.spread[k] = true
			for _, t := range r.byName[w] {
				if r.imports[d.pkg][r.decls[t].pkg] {
					r.enliven(t)
				}
			}
		}
	}
}

// openMethods makes live the exported methods of live types, since reflection may call them.
func (r *pruner) openMethods() {
	r.reflect = true
	for _, list := range r.called {
		for _, m := range list {
			if r.decls[m].exported {
				r.enliven(m)
			}
		}
	}
}

// scan reads the declarations of a file and returns the roots among them.
func (r *pruner) scan(pkg int32, name string, text []byte) (roots []int32) {
	fset := token.NewFileSet()
	file := fset.AddFile(name, -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, scanner.ScanComments)
	t := tokens{s: &s, base: file.Base()}
	whole := r.whole(r.pkgs[pkg])
	add := func(d prunable, root bool) int32 {
		slices.Sort(t.words)
		d.words = slices.Clone(slices.Compact(t.words))
		d.pkg, d.file = pkg, name
		i := int32(len(r.decls))
		r.decls = append(r.decls, d)
		if root || whole || r.forced[bodyName{name, d.body.name}] {
			roots = append(roots, i)
		}
		return i
	}
	t.r = r
	t.next()
	for t.tok != token.EOF {
		t.words = t.words[:0]
		switch t.tok {
		case token.FUNC:
			start := t.at
			f := t.function()
			if !whole && r.pkgs[pkg].PkgPath == "slices" {
				if f.body.standIn = standInOf(f.name, text, start, f.body); f.body.standIn != "" {
					r.byFile[name] = append(r.byFile[name], f.body)
				}
			}
			// The type checker demands the bodies of generic functions.
			d := prunable{name: r.id(f.name), exported: token.IsExported(f.name), method: true, kept: f.generic || f.body.end == 0, body: f.body}
			i := add(d, f.recv == "" && (f.name == "init" || f.name == "main"))
			if f.recv != "" {
				n := r.id(f.recv)
				r.methods[pkg][n] = append(r.methods[pkg][n], i)
			} else {
				r.declare(pkg, i)
			}
		case token.TYPE:
			t.next()
			t.specs(func(name string) {
				r.declare(pkg, add(prunable{name: r.id(name), exported: token.IsExported(name)}, false))
			})
		case token.IMPORT:
			t.next()
			t.specs(func(string) {
				r.dot[pkg] = r.dot[pkg] || t.dot
			})
		case token.VAR, token.CONST:
			t.next()
			t.specs(func(string) { add(prunable{}, true) })
		default:
			t.next()
		}
	}
	for _, c := range t.directives {
		r.directive(c)
	}
	return roots
}

func (r *pruner) declare(pkg, i int32) {
	d := &r.decls[i]
	r.top[pkg][d.name] = append(r.top[pkg][d.name], i)
	if d.exported {
		r.byName[d.name] = append(r.byName[d.name], i)
	}
}

// A tokens reads the tokens of a file and collects the identifiers among them.
type tokens struct {
	r    *pruner
	s    *scanner.Scanner
	base int

	tok   token.Token
	lit   string
	at    int // offset of the token
	last  token.Token
	dot   bool // the specification began with a period
	depth int  // of brackets of all kinds
	words []int32

	method     bool     // the last token is Method behind a period
	directives []string // symbols that directives name
}

func (t *tokens) next() {
	t.last = t.tok
	for {
		pos, tok, lit := t.s.Scan()
		if tok == token.COMMENT {
			t.comment(lit)
			continue
		}
		t.at, t.tok, t.lit = int(pos)-t.base, tok, lit
		break
	}
	switch t.tok {
	case token.LPAREN:
		if t.method {
			t.words = append(t.words, -t.r.id(methodCall))
		}
		t.depth++
	case token.LBRACK, token.LBRACE:
		t.depth++
	case token.RPAREN, token.RBRACK, token.RBRACE:
		t.depth--
	}
	t.method = false
	if t.tok == token.IDENT {
		n := t.r.id(t.lit)
		if t.last == token.PERIOD {
			n = -n
			t.method = t.lit == "Method"
		}
		t.words = append(t.words, n)
	}
}

func (t *tokens) comment(text string) {
	if !strings.HasPrefix(text, "//go:linkname ") && !strings.HasPrefix(text, "//export ") && !strings.HasPrefix(text, "//go:cgo_export") {
		return
	}
	t.directives = append(t.directives, strings.Fields(text)[1:]...)
}

type scannedFunc struct {
	recv, name string
	generic    bool
	body       bodyText
}

// function reads a declaration of a function, from func to the token behind it.
func (t *tokens) function() (f scannedFunc) {
	outer := t.depth
	t.next()
	if t.tok == token.LPAREN {
		ident := ""
		for t.next(); t.depth > outer && t.tok != token.EOF; t.next() {
			switch t.tok {
			case token.IDENT:
				if !f.generic {
					ident = t.lit
				}
			case token.LBRACK:
				f.generic = true
			}
		}
		f.recv = ident
		t.next()
	}
	f.name, f.body.name = t.lit, t.at
	t.next()
	if t.tok == token.LBRACK {
		f.generic = true
	}
	for t.tok != token.EOF {
		switch {
		case t.tok == token.SEMICOLON && t.depth == outer:
			return f
		case t.tok == token.LBRACE && t.depth == outer+1 && t.last != token.INTERFACE && t.last != token.STRUCT:
			f.body.start = t.at
			for t.next(); t.depth > outer && t.tok != token.EOF; t.next() {
			}
			f.body.end = t.at + 1
			t.next()
			return f
		}
		t.next()
	}
	return f
}

// specs reads the specifications of a declaration behind its keyword. It calls spec behind
// each of them, with its first identifier.
func (t *tokens) specs(spec func(name string)) {
	outer := t.depth
	group := t.tok == token.LPAREN
	if group {
		outer--
		t.next()
	}
	level := t.depth
	if t.tok == token.LPAREN || t.tok == token.LBRACK || t.tok == token.LBRACE {
		level-- // the token itself has already counted
	}
	for t.tok != token.EOF {
		if group && t.tok == token.RPAREN && t.depth == outer {
			t.next()
			return
		}
		name := t.lit
		t.dot = t.tok == token.PERIOD
		for t.tok != token.EOF && !(t.tok == token.SEMICOLON && t.depth == level) && !(group && t.tok == token.RPAREN && t.depth == outer) {
			t.next()
		}
		spec(name)
		t.words = t.words[:0]
		if t.tok == token.SEMICOLON {
			t.next()
		}
		if !group {
			return
		}
	}
}

// without returns the text of a file in which spaces replace the bodies. A body with a
// stand-in keeps its braces. Positions stay.
func without(text []byte, bodies []bodyText) []byte {
	if len(bodies) == 0 {
		return text
	}
	text = slices.Clone(text)
	for _, b := range bodies {
		start, end := b.start, b.end
		if b.standIn != "" {
			start, end = start+1, end-1
		}
		body := text[start:end]
		at, _, _ := lineFor(string(body), len(b.standIn))
		for i := range body {
			if body[i] != '\n' {
				body[i] = ' '
			}
		}
		copy(body[at:], b.standIn)
	}
	return text
}
