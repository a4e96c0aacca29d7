package pointsto

import (
	"cmp"
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// resultNode returns the first node of a call's value, or noNode.
func (g *generator) resultNode(in *instance, c ssa.CallInstruction) uint32 {
	if v := c.Value(); v != nil {
		return g.val(in, v)
	}
	return noNode
}

// call adds the constraints of a call, go or defer statement.
func (g *generator) call(in *instance, c ssa.CallInstruction) {
	cc := c.Common()
	if b, ok := cc.Value.(*ssa.Builtin); ok {
		g.builtin(in, c, b)
		return
	}
	if f := cc.StaticCallee(); f != nil {
		args := cc.Args
		if m, ok := cc.Value.(*ssa.MakeClosure); ok {
			g.link(in, c, args, g.anonymous(in, m.Fn.(*ssa.Function)))
			return
		}
		if k := in.clones[c]; k != nil {
			g.link(in, c, args, k)
			return
		}
		g.staticCall(in, c, f)
		return
	}
	n := g.val(in, cc.Value)
	for _, f := range g.Callees(c) {
		g.dynamic(in, c, f)
	}
	g.calls = append(g.calls, pendingCall{in: in, site: c})
	if cc.IsInvoke() && g.Opaque(cc.Value.Type()) {
		g.unknownCall(uint32(len(g.calls) - 1)) // also of the zero value, which has no node
		return
	}
	g.constrain(n, constraint{kind: unknown, node: uint32(len(g.calls) - 1)})
}

// bodyOr returns the body of f, or f itself.
func (g *generator) bodyOr(f *ssa.Function) *ssa.Function { return cmp.Or(g.Body(f), f) }

// staticCall links a static call of f to the common instance of f.
func (g *generator) staticCall(in *instance, c ssa.CallInstruction, f *ssa.Function) {
	f = g.bodyOr(f)
	if f.Blocks == nil {
		g.external(in, c, f)
		return
	}
	g.link(in, c, c.Common().Args, g.commonInstance(f))
}

// link passes the arguments of a call to an instance, and its results back.
func (g *generator) link(in *instance, c ssa.CallInstruction, args []ssa.Value, to *instance) {
	for k, p := range to.fn.Params {
		if k < len(args) {
			g.assign(to.vals[p], g.val(in, args[k]), p.Type())
		}
	}
	g.assign(g.resultNode(in, c), to.results, to.fn.Signature.Results())
}

// dynamic links a call through a function value or interface to f.
func (g *generator) dynamic(in *instance, c ssa.CallInstruction, f *ssa.Function) {
	cc := c.Common()
	f = g.bodyOr(f)
	if f.Blocks == nil {
		g.external(in, c, f)
		if cc.IsInvoke() {
			g.copy(escNode, g.val(in, cc.Value))
		}
		return
	}
	var recv uint32
	if cc.IsInvoke() {
		recv = g.val(in, cc.Value)
	}
	var args []uint32
	for _, a := range cc.Args {
		args = append(args, g.val(in, a))
	}
	g.linkAll(f, cc, recv, args, g.resultNode(in, c))
}

// linkAll passes the operands of a dynamic call, which are in nodes, to the instances of f, and
// their results to node results.
func (g *generator) linkAll(f *ssa.Function, cc *ssa.CallCommon, recv uint32, args []uint32, results uint32) {
	for _, to := range g.insts[f] {
		if to == g.outer[f] {
			continue
		}
		params := f.Params
		if cc.IsInvoke() {
			g.assert(to.vals[params[0]], recv, params[0].Type())
			params = params[1:]
		}
		for k, p := range params {
			if k < len(args) {
				g.assign(to.vals[p], args[k], p.Type())
			}
		}
		g.assign(results, to.results, f.Signature.Results())
	}
}

// A hub joins all calls of one signature or method whose operand is unknown to all
// functions that they may run. It needs as many copies as there are calls and callees
// together; direct links would need their product.
type hub struct {
	recv    uint32
	params  []uint32
	results uint32
}

// unknownCall links the n-th dynamic call, whose operand is unknown, to its hub.
func (g *generator) unknownCall(n uint32) {
	p := &g.calls[n]
	if p.done {
		return
	}
	p.done = true
	g.res.UnknownCalls[p.site] = true
	cc := p.site.Common()
	in, site := p.in, p.site
	h := g.hub(cc)
	if cc.IsInvoke() {
		g.copy(h.recv, g.val(in, cc.Value))
	}
	sig := cc.Signature()
	for k := range sig.Params().Len() {
		if k < len(cc.Args) {
			g.assign(h.params[k], g.val(in, cc.Args[k]), sig.Params().At(k).Type())
		}
	}
	g.assign(g.resultNode(in, site), h.results, sig.Results())
}

func (g *generator) hub(cc *ssa.CallCommon) *hub {
	sig := cc.Signature()
	id := fmt.Sprint(g.ls.id(sig))
	if cc.IsInvoke() {
		id = cc.Method.Id() + " " + fmt.Sprint(g.ls.id(cc.Method.Type()))
	}
	if h := g.hubs[id]; h != nil {
		return h
	}
	h := &hub{recv: g.node()}
	g.hubs[id] = h
	for v := range sig.Params().Variables() {
		h.params = append(h.params, g.valueNodes(v.Type()))
	}
	if sig.Results().Len() > 0 {
		h.results = g.nodes(max(1, g.ls.of(sig.Results()).width()))
	}
	// The callee may be external code itself.
	outside := len(g.Unknown(cc)) == 0 || g.Foreign != nil
	for _, f := range g.Unknown(cc) {
		f = g.bodyOr(f)
		if f.Blocks == nil {
			outside = true
			continue
		}
		g.linkAll(f, cc, h.recv, h.params, h.results)
	}
	if outside {
		g.copy(escNode, h.recv)
		for k, n := range h.params {
			g.escapeValue(n, sig.Params().At(k).Type())
		}
		if h.results != noNode {
			g.unknownValue(h.results, sig.Results())
		}
	}
	return h
}

// builtin adds the constraints of a predeclared function.
func (g *generator) builtin(in *instance, c ssa.CallInstruction, b *ssa.Builtin) {
	args := c.Common().Args
	n := g.resultNode(in, c)
	arg := func(k int) uint32 { return g.val(in, args[k]) }
	switch b.Name() {
	case "append":
		if n == noNode {
			n = g.node() // a go statement drops the result, but append stores the elements
		}
		t := args[0].Type().Underlying().(*types.Slice).Elem()
		g.copy(n, arg(0))
		o := g.newArray(in, c.Value(), t).Base
		g.point(n, o)
		g.load(o+1, arg(0), 1, t)
		if len(args) > 1 {
			g.moveElems(n, arg(1), args[1].Type(), t)
		}
	case "copy":
		g.moveElems(arg(0), arg(1), args[1].Type(), elem(args[0].Type()))
	case "recover":
		g.copy(n, panicNode)
		g.copy(n, unkNode)
	case "Slice": // unsafe.Slice
		t := elem(args[0].Type())
		tmp := g.node()
		g.constrain(arg(0), constraint{kind: cast, node: tmp, key: g.ls.arrayKey(t)})
		g.copy(n, tmp)
	case "SliceData":
		g.constrain(arg(0), constraint{kind: offset, node: n, off: 1})
	case "Add", "String":
		to := escNode
		if b.Name() == "Add" {
			to = allNode
		}
		g.copy(to, arg(0))
		if n != noNode {
			g.copy(n, unkNode)
		}
	case "StringData":
		g.copy(n, unkNode)
	case "ssa:wrapnilchk":
		g.assign(n, arg(0), args[0].Type())
	case "clear", "close", "delete", "len", "cap", "min", "max", "print", "println", "real", "imag", "complex", "ssa:deferstack", "new", "make", "panic":
	default:
		for k, a := range args {
			g.escapeValue(arg(k), a.Type())
		}
		if n != noNode {
			g.unknownValue(n, c.Value().Type())
		}
	}
}

// moveElems copies elements of type t from a slice or string to a slice.
func (g *generator) moveElems(to, from uint32, fromType types.Type, t types.Type) {
	if _, ok := fromType.Underlying().(*types.Slice); !ok {
		return // a string has no pointers
	}
	tmp := g.valueNodes(t)
	g.load(tmp, from, 1, t)
	g.store(to, 1, tmp, t)
}
