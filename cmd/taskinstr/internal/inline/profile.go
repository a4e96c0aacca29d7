package inline

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"taskinstr/internal/site"
	"taskinstr/internal/splice"
)

// A Result has the profile for the compilation of a package, and the facts for the compilations of its
// importers.
type Result struct {
	Profile  []byte   // nil if it names no function
	Facts    Facts    // of functions that other packages may call
	Unproven Unproven // of the package and its imports

	inlined    map[*ast.FuncDecl]bool
	instrument map[ast.Decl]bool // where conversions of unsafe pointers may fail
	analysis   *analysis
}

// Checkptr reports whether the compiler must instrument conversions of unsafe pointers in the package.
func (r *Result) Checkptr() bool { return len(r.instrument) > 0 }

// NoCheckptr reports whether the compiler need not instrument a function's conversions of unsafe pointers, and may
// lose the possibility to inline the function.
func (r *Result) NoCheckptr(d *ast.FuncDecl) bool {
	return !r.instrument[d] && r.analysis.compiledElsewhere(d) == nil
}

// Inlined reports whether a plain build inlines the function.
func (r *Result) Inlined(d *ast.FuncDecl) bool { return r.inlined[d] }

// header is the first line of a profile that the compiler reads without preparation.
const header = "GO PREPROFILE V1\n"

// nobody is the callee of an edge that makes a call hot, whichever function it calls.
const nobody = "-"

// Analyze finds the functions that a plain build inlines, makes a profile of their calls, and looks for
// conversions of unsafe pointers that can fail. Imports and unproven come from the results for the imported packages.
// Analyze adds the package's own functions to unproven.
func Analyze(p Package, imports Facts, unproven Unproven) *Result {
	a := newAnalysis(p, imports)
	r := &Result{Facts: Facts{}, Unproven: unproven, inlined: map[*ast.FuncDecl]bool{}, analysis: a}
	r.instrument = a.pointers(r.Unproven)
	w := &writer{analysis: a, seen: map[edge]bool{}}
	w.out.WriteString(header)
	inits := 0
	for _, file := range p.Files {
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Body == nil || d.Name.Name == "_" {
				continue
			}
			f := p.Info.Defs[d.Name].(*types.Func)
			name := site.LinkName(f, p.Path)
			if d.Recv == nil && d.Name.Name == "init" {
				name += "." + strconv.Itoa(inits)
				inits++
			}
			if hasTypeParams(f) {
				continue
			}
			names := []string{name}
			if p.Copied != nil && p.Copied(d) {
				names = append(names, name+splice.BorrowerSuffix)
			}
			fn, inlined := a.inlined(f)
			if inlined {
				r.inlined[d] = true
				if f.Exported() {
					r.Facts[name] = fn
				}
			}
			for _, name := range names {
				if inlined {
					w.edge(edge{name, name, 0})
				}
				// A check of an inlined body needs more stack than a function marked go:nosplit has.
				if !site.IsNoSplit(d) {
					w.calls(&caller{name: name, later: name, line: a.line(d.Name.Pos())}, d.Body)
				}
			}
		}
	}
	if w.out.Len() > len(header) {
		r.Profile = w.out.Bytes()
	}
	return r
}

// inlined returns the facts about f for importers, and whether a plain build inlines f.
func (a *analysis) inlined(f *types.Func) (Func, bool) {
	f = f.Origin()
	if hasTypeParams(f) || f.Pkg() == nil {
		return Func{}, false
	}
	if f.Pkg() != a.Types {
		fn, ok := a.imports[site.LinkName(f, f.Pkg().Path())]
		return fn, ok
	}
	cost, ok := a.cost(f)
	if !ok {
		return Func{}, false
	}
	lines, ok := a.lines[f]
	if !ok {
		a.lines[f] = nil // for a recursion
		ast.Inspect(a.bodies[f].Body, func(n ast.Node) bool {
			if n, ok := n.(*ast.CallExpr); ok {
				if g := typeutil.StaticCallee(a.Info, n); g != nil {
					if fn, ok := a.inlined(g); ok {
						lines = append(append(lines, a.line(n.Lparen)), fn.Lines...)
					}
				}
			}
			return true
		})
		slices.Sort(lines)
		lines = slices.Compact(lines)
		a.lines[f] = lines
	}
	return Func{cost, lines}, true
}

// line returns the line that a position has for the compiler.
func (a *analysis) line(p token.Pos) int { return a.Fset.Position(p).Line }

// An edge is a call that the profile names.
type edge struct {
	caller, callee string
	offset         int // of the call's line from the line of the caller's declaration
}

type writer struct {
	*analysis
	out  bytes.Buffer
	seen map[edge]bool
}

func (w *writer) edge(e edge) {
	if !w.seen[e] {
		w.seen[e] = true
		fmt.Fprintf(&w.out, "%s\n%s\n%d 1\n", e.caller, e.callee, e.offset)
	}
}

// A caller is a function as the linker names it: a declaration, a literal, or the body of a loop over
// a function.
type caller struct {
	name     string
	later    string // the name since Go 1.27, where literals in the body of a loop continue its name
	line     int
	outer    *caller // of a literal or a loop's body, which may be inlined there
	literal  bool
	parent   *caller // of the body of a loop: the function whose names its literals continue
	literals int
	own      int // literals in the body, without those in bodies of loops
	loops    int
}

// calls writes the edges of the calls in a body.
func (w *writer) calls(c *caller, body ast.Node) {
	names := c
	if c.parent != nil {
		names = c.parent
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			names.literals++
			name := names.name + ".func" + strconv.Itoa(names.literals)
			if names.literal {
				name = names.name + "." + strconv.Itoa(names.literals)
			}
			c.own++
			later := c.later + ".func" + strconv.Itoa(c.own)
			if c.literal {
				later = c.later + "." + strconv.Itoa(c.own)
			}
			w.calls(&caller{name: name, later: later, line: w.line(n.Pos()), outer: c, literal: true}, n.Body)
			return false
		case *ast.RangeStmt:
			if _, ok := under(w.typeOf(n.X)).(*types.Signature); ok {
				w.calls(c, n.X)
				names.loops++
				name := names.name + "-range" + strconv.Itoa(names.loops)
				w.calls(&caller{name: name, later: name, line: w.line(n.Pos()), outer: c, literal: true, parent: names}, n.Body)
				return false
			}
		case *ast.CallExpr:
			if g := typeutil.StaticCallee(w.Info, n); g != nil {
				if fn, ok := w.inlined(g); ok {
					for c := c; c != nil; c = c.outer {
						for _, name := range []string{c.name, c.later} {
							w.edge(edge{name, nobody, w.line(n.Lparen) - c.line})
							for _, l := range fn.Lines {
								w.edge(edge{name, nobody, l - c.line})
							}
						}
					}
				}
			}
		}
		return true
	})
}

// Encode returns the facts as text, a line for each function in the order of their names.
func (fs Facts) Encode() []byte {
	names := make([]string, 0, len(fs))
	for n := range fs {
		names = append(names, n)
	}
	slices.Sort(names)
	var b bytes.Buffer
	for _, n := range names {
		fmt.Fprintf(&b, "%s\t%d", n, fs[n].Cost)
		for _, l := range fs[n].Lines {
			fmt.Fprintf(&b, " %d", l)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// Add adds encoded facts.
func (fs Facts) Add(data []byte) error {
	for line := range strings.Lines(string(data)) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		var f Func
		for i, word := range strings.Fields(rest) {
			n, err := strconv.Atoi(word)
			if err != nil {
				return fmt.Errorf("facts about inlining: %w", err)
			}
			if i == 0 {
				f.Cost = n
			} else {
				f.Lines = append(f.Lines, n)
			}
		}
		fs[name] = f
	}
	return nil
}
