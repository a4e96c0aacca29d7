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

// A Class is a kind of difference with a reason. testdata/classes has a program for each.
type Class struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
	// is reports whether compiler access a at node n belongs to the class. It is nil for
	// classes that other code recognizes.
	is func(c *comparison, a *access, n ast.Node) bool
}

// ofPlaces are classes of accesses to the place n.
var ofPlaces = []Class{
	{"map element", "the hook of the map operation records the whole map right before, and nothing else leads to an element", (*comparison).mapElement},
	{"compound", "x op= y and x++: the check of the write covers the read", (*comparison).compound},
}

// Classes of variables that are read at n.
var (
	unchanged      = Class{"constant", "a package-level variable that no code changes once it is initialized", nil}
	onTheSpot      = Class{"on the spot", "a variable that is shared only with function literals which its own function calls or defers", nil}
	onTheSpotWrite = Class{onTheSpot.Name, onTheSpot.Reason, (*comparison).assignedOnTheSpot}
	capturedOnce   = Class{"captured once", "a captured variable that keeps its first value: a copy by another name, and neither the value nor copies in closures are recorded", (*comparison).copiedIntoClosure}
	initial        = Class{"initial value", "package-level initializers run before there is another task; see initial.go of package site", (*comparison).initialValue}
	loopState      = Class{"range over func", "a loop over a function keeps a state, and results that its body returns; one access by each body and one behind the loop are recorded", (*comparison).loopState}
)

// ofSyntax are classes of operations at n, in the order in which they are tried.
var ofSyntax = []Class{
	{"go:norace", "the hooks of copy and append record even in a function marked go:norace", (*comparison).norace},
	{"result", "a return statement reads results that it has just written, with a check", (*comparison).result},
	{"boxed value", "the copy of a value that an interface holds is never written again", (*comparison).boxed},
	{"method table", "the tables of methods and types that interfaces point to are read-only", (*comparison).methodTable},
	{"bytes of strings", "the bytes of a string change only through unsafe; see docs/use/limitations.md", (*comparison).stringBytes},
	{"local copy", "the value is copied out of memory that only this goroutine knows", (*comparison).localCopy},
	{"concatenation", "the operands are passed in an array on the stack", (*comparison).concatenation},
	{"made slice", "append(s, make([]T, n)...) alone knows the slice that it reads", (*comparison).madeSlice},
	{"closure", "only the closure's own code reads it, and does not record the read", (*comparison).closure},
	loopState,
	capturedOnce,
	onTheSpotWrite,
	{"inlined call", "inlining gives an access of the called function the position of the call; its own code is compared at its own position", (*comparison).inlined},
	{"dictionary", "the dictionaries of generic functions are read-only", (*comparison).dictionary},
	{"kept alive", "a directive may make the call keep the target of a pointer alive that becomes an integer argument, so the arguments stay as they are", (*comparison).keptAlive},
	{"unnamed type", "the file cannot name the type of the arguments that a call writes into a slice; the code that publishes the slice has checks", (*comparison).unnamed},
	{"map on the stack", "the compiler sets up a map that only this goroutine knows", (*comparison).stackMap},
	initial,
	{"initial literal", "only the variable leads to the literal of an initializer; the write of the variable has a check, unless no code changes it", (*comparison).initialLiteral},
}

// Classes of functions that the compiler generates.
var (
	wrapper  = Class{"wrapper", "the reads of a method wrapper are recorded at its call; see dynamic.go of package splice", nil}
	equality = Class{"equality and hash", "the compared or hashed value is a boxed value, the key of a map, or an operand with a check", nil}
)

// The class of packages without checks; see site.Skip.
var (
	leftOut = Class{"package left out", "the runtime's own packages, and packages whose hooks report their accesses; see skip.go of package site", nil}
)

// directed is the class of accesses in a file that no package has.
var directed = Class{"line directive", "the package whose line directive names the file is not part of the request", nil}

// Classes of checks without a compiler access.
var (
	initialCheck = Class{"initial value", "the compiler turns initial values into data", nil}
	noCode       = Class{"no code", "the compiler makes no code for the access: dead, unused, or of a generic function that nothing instantiates", nil}
	onTheStack   = Class{"on the stack", "the compiler knows that the memory is on the stack, or data; a check finds out by its address", nil}
	cleared      = Class{"clear", "the compiler does not record the writes of clear", nil}
	argument     = Class{"argument", "inlining leaves the argument out, or reads it where the called function does", nil}
	mapKey       = Class{"map key", "the compiler leaves the key to the hook of the map operation", nil}
)

// Classes lists all classes, the classes of compiler accesses first.
func Classes() []Class {
	list := slices.Concat(ofPlaces, []Class{unchanged}, ofSyntax, []Class{wrapper, equality, leftOut, directed})
	return append(list, initialCheck, noCode, onTheStack, cleared, argument, mapKey)
}

// classOfGenerated returns the class of an access in a function without a position.
func classOfGenerated(function string, kind Kind) string {
	path := function[:strings.LastIndexByte(function, '/')+1]
	name, _, _ := strings.Cut(function[len(path):], ".")
	// Methods of sync/atomic report their operations themselves.
	if _, skip := site.Skip(path + name); skip || kind == Atomic {
		return leftOut.Name
	}
	if strings.HasPrefix(function, "type:.eq.") || strings.HasPrefix(function, "type:.hash.") {
		return equality.Name
	}
	return wrapper.Name
}

// classOf returns the class of an access that only the compiler has, or "" if there is
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
				continue // the program reads the place, and not the variable on the way to it
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

// find returns the name of the first class in list to which a belongs at one of nodes.
func (c *comparison) find(list []Class, a *access, nodes []ast.Node) string {
	for _, cl := range list {
		if slices.ContainsFunc(nodes, func(n ast.Node) bool { return cl.is(c, a, n) }) {
			return cl.Name
		}
	}
	return ""
}

// nodesOf returns the syntax that a may belong to: the syntax of the whole line if only the
// line is known.
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

// classOfVariable returns the class of the read of a variable that has no check, or "" if
// no other goroutine can know the variable. explained is false if there is no reason.
func (c *comparison) classOfVariable(id *ast.Ident) (name string, explained bool) {
	v := c.pkg.Info.Uses[id].(*types.Var)
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

// classOfCheck returns the class of check k, whose access the compiler does not record, or
// "" if there is none.
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
	case v != nil && !site.IsGlobal(v) || c.isLoopState(k.node, outer) || c.isFresh(k):
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

// isLoopState reports whether e is the function that a loop outer ranges over. Such a loop
// has a state.
func (c *comparison) isLoopState(e ast.Expr, outer ast.Node) bool {
	s, ok := outer.(*ast.RangeStmt)
	return ok && ast.Unparen(s.X) == e && c.overFunc(s)
}

// isCompared reports whether e is an operand of outer that does not fit into registers, so
// that a function compares it.
func (c *comparison) isCompared(e ast.Expr, outer ast.Node) bool {
	b, ok := outer.(*ast.BinaryExpr)
	return ok && (b.Op == token.EQL || b.Op == token.NEQ) && !inRegisters(c.pkg.typeOf(e))
}

// isArgument reports whether e is a variable that outer, a call of a declared function, has
// as an argument.
func (c *comparison) isArgument(e ast.Expr, outer ast.Node) bool {
	call, ok := outer.(*ast.CallExpr)
	return ok && !c.unique(e) && c.callee(call) != nil
}

// nodeName returns the kind of syntax of n.
func nodeName(n ast.Node) string { return strings.TrimPrefix(fmt.Sprintf("%T", n), "*ast.") }
