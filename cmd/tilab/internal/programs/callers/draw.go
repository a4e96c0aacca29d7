package callers

import (
	"fmt"
	"strings"

	"taskinstr/cmd/tilab/internal/programs/random"
)

// A node is a function of a case. It calls nodes with greater numbers only.
type node struct {
	kind  *nodeKind
	id    int
	name  string // of the function, or of the type whose method it is
	far   bool   // never inlined
	body  []string
	calls []edge
	mult  [2]int // number of calls by each task
}

// An edge is a call that is made n times for one of the caller.
type edge struct {
	to *node
	n  int
}

// A site is a statement that accesses variables.
type site struct {
	n    *node
	want [2]int // the visit on which each task accesses
}

// A oneCase is one case in the making.
type oneCase struct {
	rng       random.Source
	id        int
	names     int
	nodes     []*node
	helpers   []string // declarations
	setup     []string // statements in front of the tasks
	sites     []site
	variables []Variable
	sequence  bool // the first task ends before the second one begins
	forms     map[string]int
	roots     [2]*node
}

// Limits of a case.
const (
	minNodes, maxNodes = 4, 9
	minVars, maxVars   = 3, 6
	maxVisits          = 150 // of a node by a task
	maxReach           = 3   // greatest difference of the numbers of a called node and its caller
)

func newCase(rng random.Source, id int) *oneCase {
	c := &oneCase{rng: rng, id: id, forms: map[string]int{}}
	c.sequence = c.rng.Chance(60)
	for i := range c.rng.Between(minNodes, maxNodes) {
		c.nodes = append(c.nodes, c.newNode(i))
	}
	c.roots = [2]*node{c.nodes[0], c.nodes[0]}
	if c.rng.Chance(40) {
		c.roots[1] = c.nodes[1]
	}
	for t, r := range c.roots {
		r.mult[t]++
	}
	// Callers come before their callees, so that the number of calls of a node is known.
	for i, n := range c.nodes {
		c.fill(n, c.nodes[i+1:min(len(c.nodes), i+1+maxReach)])
		for _, e := range n.calls {
			for t := range n.mult {
				e.to.mult[t] += n.mult[t] * e.n
			}
		}
	}
	for range c.rng.Between(minVars, maxVars) {
		c.variable()
	}
	return c
}

// name returns a name that no other case of the program has.
func (c *oneCase) name(prefix string) string {
	c.names++
	return fmt.Sprintf("%s%d_%d", prefix, c.id, c.names)
}

// note counts a form.
func (c *oneCase) note(form string) { c.forms[form]++ }

func (c *oneCase) newNode(id int) *node {
	n := &node{id: id, kind: random.Choose(c.rng, nodeKinds), name: c.name("n"), far: c.rng.Chance(50)}
	c.note("node " + n.kind.name)
	return n
}

// fill gives a node its statements: calls of some of the nodes in next, and fillers
// between them.
func (c *oneCase) fill(n *node, next []*node) {
	for range c.rng.Between(1, 3) {
		if c.rng.Chance(60) {
			n.body = append(n.body, c.filler(n))
		}
		if len(next) == 0 {
			continue
		}
		n.body = append(n.body, c.callOf(n, random.Choose(c.rng, next)))
	}
	if c.rng.Chance(30) {
		n.body = append(n.body, c.filler(n))
	}
}

// filler draws a statement that neither calls a node nor accesses a variable of the
// case.
func (c *oneCase) filler(n *node) string {
	most := max(n.mult[0], n.mult[1])
	s := random.Choose(c.rng, fillers)
	if most*s.cost > maxVisits {
		s = fillers[0]
	}
	c.note("filler " + s.name)
	return strings.ReplaceAll(s.text, "$N", fmt.Sprint(c.rng.Between(1, 40)))
}

// callOf draws a call of the node to by n, and adds it to n's edges.
func (c *oneCase) callOf(n, to *node) string {
	text := to.kind.call(c, to)
	times := 1
	room := maxVisits / max(1, n.mult[0]+to.mult[0], n.mult[1]+to.mult[1])
	for depth := 0; ; depth++ {
		f := random.Choose(c.rng, forms)
		k := 1
		if f.times > 0 {
			k = f.times
		}
		if times*k > room {
			f, k = forms[0], 1
		}
		times *= k
		c.note("form " + f.name)
		text = f.wrap(c, text)
		if depth == 2 || c.rng.Chance(55) {
			break
		}
	}
	n.calls = append(n.calls, edge{to, times})
	return text
}

// variable adds a variable, with an access by each task.
func (c *oneCase) variable() {
	kind := random.Choose(c.rng, variableKinds)
	v := Variable{Number: c.id*maxVars + len(c.variables)}
	x := c.name("x")
	v.Expr = x
	if kind.sequence {
		c.sequence = true
	}
	c.helpers = append(c.helpers, expand(kind.declare, x, v.Number))
	c.setup = append(c.setup, expand(kind.setup, x, v.Number), expand("trace.Object($V, "+kind.address+", "+kind.size+")", x, v.Number))
	first, second := random.Choose(c.rng, kind.writes), random.Choose(c.rng, kind.others())
	switch {
	case kind.ordered:
	case c.rng.Chance(30):
		second = first
	case c.rng.Chance(50):
		first, second = second, first
	}
	shared := 0 // the site of both
	for t, a := range []access{first, second} {
		c.note("access " + kind.name + ": " + a.text)
		v.Leaf[t] = a.leaf
		n := c.reached(t)
		if t == 1 && a == first && c.sites[shared].n.mult[1] > 0 {
			c.sites[shared].want[1] = 1 + c.rng.IntN(c.sites[shared].n.mult[1])
			break
		}
		s := site{n: n}
		s.want[t] = 1 + c.rng.IntN(n.mult[t])
		shared = len(c.sites)
		c.sites = append(c.sites, s)
		at := c.rng.IntN(len(n.body) + 1)
		n.body = append(n.body, "")
		copy(n.body[at+1:], n.body[at:])
		n.body[at] = fmt.Sprintf("if t.Turn(%d) {\n%s\n}", shared, expand(a.text, x, v.Number))
	}
	c.variables = append(c.variables, v)
}

// expand fills in the name of a variable and its number.
func expand(text, x string, number int) string {
	return strings.NewReplacer("$X", x, "$V", fmt.Sprint(number)).Replace(text)
}

// reached draws a node that the task calls, inner nodes more often than outer ones.
func (c *oneCase) reached(t int) *node {
	var list []*node
	for _, n := range c.nodes {
		if n.mult[t] > 0 {
			list = append(list, n)
		}
	}
	return list[max(c.rng.IntN(len(list)), c.rng.IntN(len(list)))]
}

// emit writes the case.
func (c *oneCase) emit(w *strings.Builder) {
	for _, n := range c.nodes {
		n.kind.declare(n, w)
	}
	for _, h := range c.helpers {
		fmt.Fprintln(w, h)
	}
	fmt.Fprintf(w, "\nfunc case%d() {\n", c.id)
	for _, s := range c.setup {
		fmt.Fprintln(w, s)
	}
	var want [2][]string
	for _, s := range c.sites {
		for t := range want {
			want[t] = append(want[t], fmt.Sprint(s.want[t]))
		}
	}
	fmt.Fprintf(w, "a, b := trace.Tasks(%t, []int{%s}, []int{%s})\n", c.sequence, strings.Join(want[0], ", "), strings.Join(want[1], ", "))
	w.WriteString("var wg sync.WaitGroup\n")
	var behind strings.Builder
	for t, name := range []string{"a", "b"} {
		root := c.roots[t].kind.call(c, c.roots[t])
		body := fmt.Sprintf("t.Begin()\ndefer t.End()\n%s\n", root)
		switch c.rng.IntN(3) {
		case 0:
			fmt.Fprintf(w, "wg.Go(func() {\nt := %s\n%s})\n", name, body)
		case 1:
			fmt.Fprintf(w, "wg.Add(1)\ngo func(t *trace.Task) {\ndefer wg.Done()\n%s}(%s)\n", body, name)
		case 2:
			start := c.name("start")
			fmt.Fprintf(&behind, "func %s(t *trace.Task, wg *sync.WaitGroup) {\ndefer wg.Done()\n%s}\n\n", start, body)
			fmt.Fprintf(w, "wg.Add(1)\ngo %s(%s, &wg)\n", start, name)
		}
	}
	fmt.Fprintf(w, "wg.Wait()\ntrace.Print(%d, a, b)\n}\n\n", c.id)
	w.WriteString(behind.String())
}
