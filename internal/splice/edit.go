package splice

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"sort"
)

// A layer orders edits of one and the same byte range: the edit of the higher layer is the
// outer one. No other convention is needed where an expression coincides with a statement
// or with another expression (p.x as a receiver, as an operand, as a statement).
type layer int8

const (
	layerRead     layer = iota // the check of a read in place
	layerPath                  // embedded pointers, spelled out, and copied receivers
	layerWrap                  // arguments that go through a range helper
	layerHoist                 // calls that move in front of the statement
	layerReceiver              // receivers that go through the runtime, behind the calls that moved
	layerWrite                 // the check of an assigned place
	layerEntry                 // the function's prologue, first behind the opening brace
	layerInner                 // other statements behind the opening brace
	layerHost                  // the code around a statement
	layerBehind                // checks of the ranges that a loop has collected, behind it
	layerList                  // code of a plan in front of a statement of a list
	layerGather                // the variables that collect ranges, behind the last deferred call
)

// An edit replaces the source bytes [start, end) by its parts. Edits nest as the syntax
// tree does: a part that is source text is rendered with the edits inside it.
type edit struct {
	start, end int
	layer      layer
	seq        int // registration order, the last criterion: the earlier edit is the outer one
	index      int // position in the sorted list
	parts      []part
	flag       string  // if not "", the edit is a check of [start, end), which text lacks where this flag is set
	check      *direct // if not nil, the edit is a check of [start, end), which may stand in front of the statement
}

type partKind uint8

const (
	partText   partKind = iota // literal text
	partSrc                    // the source range [a, b)
	partInner                  // the text that edit e covers, or its part [a, b), without e itself
	partCall                   // the start of a helper call, up to its first argument of its own
	partLine                   // a line directive that restores the position of byte a
	partEntry                  // the statement that fetches the task, if fn needs the task
	partGather                 // the declarations of the variables in which fn's loops collect ranges, if any
	partArray                  // a statement for the variable flag, if fn uses that variable
	partAt                     // the source range [a, b), which lies outside this edit
	partLoop                   // the source range [a, b), a loop, in two versions (version.go)
	partLabel                  // a label, whose name depends on the version of its loop
	partCheck                  // a check as a statement
	partAhead                  // a check in front of the statement, with a semicolon, if it does not stand in place
	partBrace                  // text, if check stands in front of the statement
	partName                   // the source range [a, b), the name of a called function, or text, its clone, where flag is set
)

type part struct {
	kind  partKind
	text  string
	a, b  int
	e     *edit
	fn    *function
	types string     // partCall: the type arguments
	typ   types.Type // partCall: what the helper's type parameter stands for; nil if the call does not say it
	check *direct
	flag  string // partCall: an argument in front of the caller's; partLoop, partName: the flag that decides
}

func text(s string) part   { return part{kind: partText, text: s} }
func source(a, b int) part { return part{kind: partSrc, a: a, b: b} }
func inner(e *edit) part   { return part{kind: partInner, e: e} }
func (f *file) elsewhere(n ast.Node) part {
	return part{kind: partAt, a: f.Offset(n.Pos()), b: f.Offset(n.End())}
}
func (f *file) resync(at int) part            { return part{kind: partLine, a: at} }
func (f *file) multiline(start, end int) bool { return bytes.IndexByte(f.Text[start:end], '\n') >= 0 }

// add registers an edit of [start, end).
func (f *file) add(start, end int, l layer, parts ...part) *edit {
	e := &edit{start: start, end: end, layer: l, seq: len(f.edits), parts: parts}
	f.edits = append(f.edits, e)
	return e
}

// enclose registers an edit that puts code in front of n and text behind it.
func (f *file) enclose(n ast.Node, l layer, behind string, front ...part) *edit {
	a, b := f.Offset(n.Pos()), f.Offset(n.End())
	return f.add(a, b, l, append(front, source(a, b), text(behind))...)
}

// render applies all edits and returns the new text.
func (f *file) render() []byte { return f.rendered(0, len(f.Text)) }

// rendered is render for the source bytes [a, b).
func (f *file) rendered(a, b int) []byte {
	slices.SortFunc(f.edits, func(x, y *edit) int {
		return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(y.end, x.end), cmp.Compare(y.layer, x.layer), cmp.Compare(x.seq, y.seq))
	})
	for i, e := range f.edits {
		e.index = i
	}
	var w bytes.Buffer
	w.Grow((b - a) * 2)
	f.renderRange(&w, a, b, 0)
	return w.Bytes()
}

// renderRange writes the source bytes [a, b). It applies the edits inside the range whose
// position in the sorted list is from or later.
func (f *file) renderRange(w *bytes.Buffer, a, b, from int) {
	i := from
	for i < len(f.edits) && f.edits[i].start < b {
		e := f.edits[i]
		if e.start < a {
			i += 1 + sort.Search(len(f.edits)-i-1, func(k int) bool { return f.edits[i+1+k].start >= a })
			continue
		}
		if e.end > b {
			i++
			continue
		}
		w.Write(f.Text[a:e.start])
		if e.flag != "" && f.setFlags[e.flag] || e.check != nil && f.pkg.isDirect(e.check) {
			f.renderRange(w, e.start, e.end, i+1)
		} else {
			f.renderParts(w, e.parts, i+1)
		}
		a = e.end
		i += 1 + sort.Search(len(f.edits)-i-1, func(k int) bool { return f.edits[i+1+k].start >= a })
	}
	w.Write(f.Text[a:b])
}

func (f *file) renderParts(w *bytes.Buffer, parts []part, from int) {
	for _, p := range parts {
		switch p.kind {
		case partText:
			w.WriteString(p.text)
		case partSrc:
			f.renderRange(w, p.a, p.b, from)
		case partInner:
			a, b := p.e.start, p.e.end
			if p.b > 0 {
				a, b = p.a, p.b
			}
			f.renderRange(w, a, b, p.e.index+1)
		case partCall:
			name, operands := f.pkg.use(p.text, p.fn)
			w.WriteString(f.pkg.typed(name, p.typ) + p.types + "(" + operands)
			if p.flag != "" {
				w.WriteString(p.flag + ",")
			}
		case partLine:
			pos := f.Fset.PositionFor(f.Token.Pos(p.a), true)
			fmt.Fprintf(w, "/*line :%d:%d*/", pos.Line, max(pos.Column, 1))
		case partEntry:
			w.WriteString(p.fn.prologue(f.pkg))
		case partGather:
			if text := p.fn.declared(); text != "" {
				w.WriteString("; " + text)
				f.renderParts(w, []part{f.resync(p.a)}, from)
			}
		case partArray:
			if p.fn.collects(p.flag) {
				w.WriteString(p.text)
			}
		case partCheck:
			f.renderCheck(w, p.check)
		case partAhead:
			if f.pkg.isDirect(p.check) {
				f.renderCheck(w, p.check)
				w.WriteString("; ")
			}
		case partBrace:
			if f.pkg.isDirect(p.check) {
				w.WriteString(p.text)
			}
		case partAt:
			f.renderRange(w, p.a, p.b, 0)
		case partLoop:
			f.renderVersions(w, p, from)
		case partLabel:
			w.WriteString(f.labelName(p))
		case partName:
			if f.setFlags[p.flag] {
				w.WriteString(p.text)
			} else {
				f.renderRange(w, p.a, p.b, from)
			}
		}
	}
}
