package accesses

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"taskinstr/internal/site"
)

// A Class is a kind of difference whose reason is known. A program in testdata/classes
// shows each at work.
type Class struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
	// is reports whether access a of the compiler's at node n is of the class; nil for
	// those that are told otherwise.
	is func(c *comparison, a *access, n ast.Node) bool
}

// ofPlaces are classes of accesses to a place that n itself is.
var ofPlaces = []Class{
	{"map element", "the hook of the map operation records the whole map right before, and nothing else leads to an element", (*comparison).mapElement},
	{"compound", "x op= y and x++: the check of the write covers the read", (*comparison).compound},
}

// ofVariables are classes of variables that are read at n.
var (
	unchanged      = Class{"constant", "a package-level variable that no code changes once it is initialized", nil}
	onTheSpot      = Class{"on the spot", "a variable that is shared only with function literals which its own function calls or defers", nil}
	onTheSpotWrite = Class{onTheSpot.Name, onTheSpot.Reason, (*comparison).assignedOnTheSpot}
	capturedOnce   = Class{"captured once", "a captured variable that keeps its first value: a copy by another name, and neither the value nor copies in closures are recorded", (*comparison).copiedIntoClosure}
	initial        = Class{"initial value", "package-level initializers run before there is another task; see initial.go of package site", (*comparison).initialValue}
	loopState      = Class{"range over func", "of the state that a loop over a function keeps, and of results that its body returns, one access by each body and one behind the loop are recorded", (*comparison).loopState}
)

// ofSyntax are classes of what n does, in the order in which they are tried.
var ofSyntax = []Class{
	{"go:norace", "the hooks of copy and append record even in a function marked go:norace", (*comparison).norace},
	{"result", "a return statement reads results that it has just written, with a check", (*comparison).result},
	{"boxed value", "the copy of a value that an interface holds is never written again", (*comparison).boxed},
	{"method table", "the tables of methods and types that interfaces point to are read-only", (*comparison).methodTable},
	{"bytes of strings", "the bytes of a string change only through unsafe; see docs/limitations.md", (*comparison).stringBytes},
	{"local copy", "the value is copied out of memory that only this goroutine knows", (*comparison).localCopy},
	{"concatenation", "the operands are handed over in an array on the stack", (*comparison).concatenation},
	{"made slice", "the slice that append(s, make([]T, n)...) reads is known to nobody else", (*comparison).madeSlice},
	{"closure", "a closure is read by its own code alone, which does not record it", (*comparison).closure},
	loopState,
	capturedOnce,
	onTheSpotWrite,
	{"inlined call", "inlining gives an access of the called function the position of the call; its own code is compared where it stands", (*comparison).inlined},
	{"dictionary", "the dictionaries of generic functions are read-only", (*comparison).dictionary},
	{"kept alive", "a directive may have the call keep alive what a pointer points to that becomes an integer among its arguments, so these stay as they are", (*comparison).keptAlive},
	{"unnamed type", "the file cannot name the type of the arguments that a call writes into a slice; whoever makes the slice known has checks", (*comparison).unnamed},
	{"map on the stack", "the compiler sets up a map that nobody else knows", (*comparison).stackMap},
	initial,
	{"initial literal", "only its variable leads to a literal that an initializer makes, perhaps by copying data, and the write of the variable is checked, unless nothing changes it", (*comparison).initialLiteral},
}

// ofFunctions are classes of functions that the compiler makes.
var (
	wrapper  = Class{"wrapper", "what a method that the compiler makes reads of its receiver is recorded where it is called; see dynamic.go of package splice", nil}
	equality = Class{"equality and hash", "what is compared or hashed is a boxed value, the key of a map, or an operand with a check", nil}
)

// ofPackages are classes of packages that get no checks; see site.Skip.
var (
	leftOut = Class{"package left out", "the runtime's own packages, and those whose hooks stand for their accesses; see skip.go of package site", nil}
)

// directed is the class of accesses in a file that no package has.
var directed = Class{"line directive", "the package that names the file by a line directive was not asked for", nil}

// ofChecks are classes of checks for which the compiler has no access.
var (
	initialCheck = Class{"initial value", "the compiler turns initial values into data", nil}
	noCode       = Class{"no code", "the compiler makes no code for the access: dead, unused, or of a generic function that nothing instantiates", nil}
	onTheStack   = Class{"on the stack", "the compiler knows that the memory is on the stack, or data; a check finds out by its address", nil}
	cleared      = Class{"clear", "the compiler does not record what clear writes", nil}
	argument     = Class{"argument", "inlining leaves the argument out, or reads it where the called function does", nil}
	mapKey       = Class{"map key", "the compiler leaves the key to the hook of the map operation", nil}
)

// Classes lists all classes, those of the compiler's accesses first.
func Classes() []Class {
	list := slices.Concat(ofPlaces, []Class{unchanged}, ofSyntax, []Class{wrapper, equality, leftOut, directed})
	return append(list, initialCheck, noCode, onTheStack, cleared, argument, mapKey)
}

// classOfGenerated returns the class of an access in a function without a position.
func classOfGenerated(function string, kind Kind) string {
	path := function[:strings.LastIndexByte(function, '/')+1]
	name, _, _ := strings.Cut(function[len(path):], ".")
	// Methods of sync/atomic make themselves known.
	if _, skip := site.Skip(path + name); skip || kind == Atomic {
		return leftOut.Name
	}
	if strings.HasPrefix(function, "type:.eq.") || strings.HasPrefix(function, "type:.hash.") {
		return equality.Name
	}
	return wrapper.Name
}

// classOf returns the class of an access that only the compiler has, "" if there is
// none.
func (c *comparison) classOf(a *access) string {
	nodes := c.nodesOf(a)
	if name := c.find(ofPlaces, a, nodes); name != "" {
		return name
	}
	if a.kind == Write && slices.ContainsFunc(nodes, c.stores) {
		return c.find([]Class{onTheSpotWrite, initial}, a, nodes)
	}
	if a.kind == Read {
		var name string
		for _, n := range nodes {
			if c.loads(n) {
				continue // the read is of the place, not of the variable that leads to it
			}
			for _, id := range c.held(n) {
				cl, explained := c.classOfVariable(id)
				if !explained && a.offset >= 0 && !c.partChecked(id) {
					return ""
				}
				if cl != "" {
					name = cl
				}
			}
		}
		if name != "" {
			return name
		}
	}
	return c.find(ofSyntax, a, nodes)
}

// find returns the name of the first class that a belongs to.
func (c *comparison) find(list []Class, a *access, nodes []ast.Node) string {
	for _, cl := range list {
		if slices.ContainsFunc(nodes, func(n ast.Node) bool { return cl.is(c, a, n) }) {
			return cl.Name
		}
	}
	return ""
}

// nodesOf returns the syntax that a may belong to: all of the line if no more is known.
func (c *comparison) nodesOf(a *access) (list []ast.Node) {
	from, to := a.offset, a.offset+1
	if a.offset < 0 {
		if a.line < 1 || a.line > c.tok.LineCount() {
			return nil
		}
		from, to = c.tok.Offset(c.tok.LineStart(a.line)), c.tok.Size()
		if a.line < c.tok.LineCount() {
			to = c.tok.Offset(c.tok.LineStart(a.line + 1))
		}
	}
	for o := from; o < to; o++ {
		for _, n := range c.at[o] {
			list = append(list, n)
			// The position of an element of a struct literal is its key.
			if kv, ok := c.parent[n].(*ast.KeyValueExpr); ok && kv.Key == n {
				list = append(list, kv.Value)
			}
		}
	}
	return list
}

// classOfVariable returns why the read of a variable has no check, "" if the variable is
// not memory that another goroutine could know. explained is false if there is no
// reason.
func (c *comparison) classOfVariable(id *ast.Ident) (name string, explained bool) {
	v := c.pkg.info.Uses[id].(*types.Var)
	switch {
	case c.facts.keeps(v):
		return unchanged.Name, true
	case c.facts.own(v):
		switch {
		case c.facts.captured[v] && c.facts.changed[v]:
			return onTheSpot.Name, true
		case c.facts.captured[v] || c.facts.iterated[v]:
			return capturedOnce.Name, true
		}
		return "", true
	case c.initializer(id) && !c.facts.accompanied:
		return initial.Name, true
	}
	return "", false
}

// classOfCheck returns why the compiler does not record the access of k, "" if there is
// no reason.
func (c *comparison) classOfCheck(k *check) string {
	code := false
	for o := range k.tokens {
		code = code || c.code[o]
	}
	v := c.facts.root(k.node)
	outer := c.outer(k.node)
	switch {
	case k.wrapper:
		return wrapper.Name
	case c.initializer(k.node):
		return initialCheck.Name
	case !code:
		return noCode.Name
	case c.builtin(outer) == "clear":
		return cleared.Name
	case c.isMapKey(k.node, outer):
		return mapKey.Name
	case v != nil && !isGlobal(v) || c.isLoopState(k.node, outer) || c.isFresh(k):
		return onTheStack.Name
	case c.isCompared(k.node, outer):
		return equality.Name
	case c.isArgument(k.node, outer):
		return argument.Name
	}
	return ""
}

// isFresh reports whether k writes new memory, or the variable of a type switch.
func (c *comparison) isFresh(k *check) bool {
	switch x := k.node.(type) {
	case *ast.CompositeLit, *ast.UnaryExpr:
		return k.kind == Write
	case *ast.CallExpr:
		return k.kind == Write && (c.convertedConstant(x) != nil || len(c.extra(x)) > 0)
	}
	s, ok := c.parent[c.outer(k.node)].(*ast.TypeSwitchStmt)
	return ok && s.Assign == c.outer(k.node)
}

// isLoopState reports whether e is the function that outer ranges over, whose loop has a
// state.
func (c *comparison) isLoopState(e ast.Expr, outer ast.Node) bool {
	s, ok := outer.(*ast.RangeStmt)
	return ok && ast.Unparen(s.X) == e && c.overFunc(s)
}

// isCompared reports whether e, an operand of outer, does not fit into registers and is
// compared by a function.
func (c *comparison) isCompared(e ast.Expr, outer ast.Node) bool {
	b, ok := outer.(*ast.BinaryExpr)
	return ok && (b.Op == token.EQL || b.Op == token.NEQ) && !inRegisters(c.pkg.typeOf(e))
}

// isArgument reports whether e is a variable that outer, a call of a declared function,
// hands over.
func (c *comparison) isArgument(e ast.Expr, outer ast.Node) bool {
	call, ok := outer.(*ast.CallExpr)
	return ok && !c.unique(e) && c.callee(call) != nil
}

// nodeName returns the kind of syntax of n.
func nodeName(n ast.Node) string { return strings.TrimPrefix(fmt.Sprintf("%T", n), "*ast.") }
