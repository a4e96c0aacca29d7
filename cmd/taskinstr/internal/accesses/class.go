package accesses

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"taskinstr/ssapass/splice"
)

// A Class is a kind of difference whose reason is known. A program in testdata/classes
// shows each at work.
type Class struct {
	Name    string `json:"name"`
	Reason  string `json:"reason"`
	Pending bool   `json:"pending,omitempty"` // a race can be lost; a fix is due
	// is reports whether access a of the compiler's at node n is of the class; nil for
	// those that are told otherwise.
	is func(c *comparison, a *access, n ast.Node) bool
}

// ofPlaces are classes of accesses to a place that n itself is.
var ofPlaces = []Class{
	{"map element", "the hook of the map operation records the whole map right before, and nothing else leads to an element", false, (*comparison).mapElement},
	{"compound", "x op= y and x++: the check of the write covers the read", false, (*comparison).compound},
}

// ofVariables are classes of variables that are read at n.
var (
	unchanged      = Class{"constant", "a package-level variable that no code changes once it is initialized", false, nil}
	onTheSpot      = Class{"on the spot", "a variable that is shared only with function literals which its own function calls or defers", false, nil}
	onTheSpotWrite = Class{onTheSpot.Name, onTheSpot.Reason, false, (*comparison).assignedOnTheSpot}
	capturedOnce   = Class{"captured once", "a captured variable that keeps its first value: a copy by another name, and copies in closures are not recorded", false, (*comparison).copiedIntoClosure}
	initial        = Class{"initial value", "package-level initializers run before there is another task; see initial.go of package splice", false, (*comparison).initialValue}
	initialTasks   = Class{"initial value beside tasks", "an initializer needs code but no call, and other tasks may run", true, (*comparison).initialBesideTasks}
	loopVariable   = Class{"range over func", "the body of a loop over a function shares variables with the function around it, and with the loop's own state", true, (*comparison).rangeOverFunc}
)

// ofSyntax are classes of what n does, in the order in which they are tried.
var ofSyntax = []Class{
	{"go:norace", "the hooks of copy and append record even in a function marked go:norace", false, (*comparison).norace},
	{"slice to array", "a conversion of a slice to an array reads the elements", true, (*comparison).sliceToArray},
	{"deferred result", "results are handed over behind deferred calls, which may have changed them", true, (*comparison).deferredResult},
	{"shadowed result", "a return statement writes a result whose name denotes another variable there", true, (*comparison).shadowedResult},
	{"result", "a return statement reads results that it has just written, with a check", false, (*comparison).result},
	{"boxed value", "the copy of a value that an interface holds is never written again", false, (*comparison).boxed},
	{"method table", "the tables of methods and types that interfaces point to are read-only", false, (*comparison).methodTable},
	{"bytes of strings", "the bytes of a string change only through unsafe; see docs/limitations.md", false, (*comparison).stringBytes},
	{"local copy", "the value is copied out of memory that only this goroutine knows", false, (*comparison).localCopy},
	{"hidden field", "an embedded field that the package cannot name leads to a promoted method", true, (*comparison).hiddenField},
	{"wrapper", wrapperReason, true, (*comparison).devirtualized},
	{"concatenation", "the operands are handed over in an array on the stack", false, (*comparison).concatenation},
	{"literal", "a composite literal writes fresh memory", true, (*comparison).literal},
	{"constant bytes", "the conversion of a constant to bytes writes fresh memory", true, (*comparison).constantBytes},
	{"variadic", "a call writes its variadic arguments into a fresh slice", true, (*comparison).variadic},
	{"append of make", "append(s, make([]T, n)...) writes what lies behind s if it fits", true, (*comparison).appendedMake},
	{"made slice", "the slice that append(s, make([]T, n)...) reads is known to nobody else", false, (*comparison).madeSlice},
	{"closure", "a closure is read by its own code alone, which does not record it", false, (*comparison).closure},
	{"heap variable", "a variable that the compiler moves to the heap gets its first value", true, (*comparison).declared},
	loopVariable,
	{"bytes or string", "an element is read whose container may be a string or a slice of bytes, by its type parameter", true, (*comparison).eitherBytes},
	capturedOnce,
	onTheSpotWrite,
	{"inlined call", "inlining gives an access of the called function the position of the call; its own code is compared where it stands", false, (*comparison).inlined},
	{"dictionary", "the dictionaries of generic functions are read-only", false, (*comparison).dictionary},
	{"map on the stack", "the compiler sets up a map that nobody else knows", false, (*comparison).stackMap},
	initial,
	initialTasks,
}

const wrapperReason = "a method that the compiler makes, for promotion, interfaces or method values, reads the receiver"

// ofFunctions are classes of functions that the compiler makes.
var (
	wrapper  = Class{"wrapper", wrapperReason, true, nil}
	equality = Class{"equality and hash", "what is compared or hashed is a boxed value, the key of a map, or an operand with a check", false, nil}
)

// ofPackages are classes of packages that get no checks; see splice.Skip.
var (
	leftOut      = Class{"package left out", "the runtime's own packages, and those whose hooks stand for their accesses; see skip.go of package splice", false, nil}
	instrumented = Class{"package internal/bytealg", "the compiler instruments what is written in Go there, though the runtime imports it", true, nil}
)

// directed is the class of accesses in a file that no package has.
var directed = Class{"line directive", "the package that names the file by a line directive was not asked for", false, nil}

// ofChecks are classes of checks for which the compiler has no access.
var (
	initialCheck = Class{"initial value", "the compiler turns initial values into data", false, nil}
	noCode       = Class{"no code", "the compiler makes no code for the access: dead, unused, or of a generic function that nothing instantiates", false, nil}
	onTheStack   = Class{"on the stack", "the compiler knows that the memory is on the stack; a check finds out by its address", false, nil}
	cleared      = Class{"clear", "the compiler does not record what clear writes", false, nil}
	argument     = Class{"argument", "inlining leaves the argument out, or reads it where the called function does", false, nil}
	mapKey       = Class{"map key", "the compiler leaves the key to the hook of the map operation", false, nil}
)

// Classes lists all classes, those of the compiler's accesses first.
func Classes() []Class {
	list := slices.Concat(ofPlaces, []Class{unchanged}, ofSyntax, []Class{equality, leftOut, instrumented, directed})
	return append(list, initialCheck, noCode, onTheStack, cleared, argument, mapKey)
}

// classOfGenerated returns the class of an access in a function without a position.
func classOfGenerated(function string, kind Kind) string {
	path := function[:strings.LastIndexByte(function, '/')+1]
	name, _, _ := strings.Cut(function[len(path):], ".")
	// Methods of sync/atomic make themselves known.
	if _, skip := splice.Skip(path + name); skip || kind == Atomic {
		return leftOut.Name
	}
	if strings.HasPrefix(function, "type:.eq.") || strings.HasPrefix(function, "type:.hash.") {
		return equality.Name
	}
	return wrapper.Name
}

// classOfPackage returns the class of a package that gets no checks.
func classOfPackage(path string) string {
	if path == "internal/bytealg" {
		return instrumented.Name
	}
	return leftOut.Name
}

// classOf returns the class of an access that only the compiler has, "" if there is
// none.
func (c *comparison) classOf(a *access) string {
	nodes := c.nodesOf(a)
	if name := c.find(ofPlaces, a, nodes); name != "" {
		return name
	}
	if a.kind == Write && slices.ContainsFunc(nodes, c.stores) {
		return c.find([]Class{loopVariable, onTheSpotWrite, initial}, a, nodes)
	}
	if a.kind == Read {
		var name string
		for _, n := range nodes {
			if c.loads(n) {
				continue // the read is of the place, not of the variable that leads to it
			}
			for _, id := range c.held(n) {
				cl, explained := c.classOfVariable(id)
				if !explained && a.offset >= 0 {
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
		case c.facts.captured[v]:
			return capturedOnce.Name, true
		}
		return "", true
	case c.initializer(id) && c.facts.accompanied:
		return initialTasks.Name, true
	case c.initializer(id):
		return initial.Name, true
	case !isGlobal(v) && c.facts.iterated[v]:
		return loopVariable.Name, true
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
	case c.initializer(k.node):
		return initialCheck.Name
	case !code:
		return noCode.Name
	case c.builtin(outer) == "clear":
		return cleared.Name
	case c.isMapKey(k.node, outer):
		return mapKey.Name
	case v != nil && !isGlobal(v):
		return onTheStack.Name
	case c.isArgument(k.node, outer):
		return argument.Name
	}
	return ""
}

// isArgument reports whether e is a variable that outer, a call of a declared function,
// hands over.
func (c *comparison) isArgument(e ast.Expr, outer ast.Node) bool {
	call, ok := outer.(*ast.CallExpr)
	return ok && !c.unique(e) && c.callee(call) != nil
}

// nodeName returns the kind of syntax of n.
func nodeName(n ast.Node) string { return strings.TrimPrefix(fmt.Sprintf("%T", n), "*ast.") }
