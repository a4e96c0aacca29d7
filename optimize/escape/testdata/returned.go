// Package returned makes objects that other packages get as results.
package returned

type node struct {
	n    int
	next *node
}

type buffer struct {
	text []byte
	last *node
}

// Print returns memory that it and the methods of its buffer have filled.
func Print(words []string) []byte {
	b := &buffer{}
	for _, w := range words {
		b.print(w)
	}
	b.text = Quote(b.text) // want b.text w: proof
	return b.text          // want b.text r: proof
}

func (b *buffer) print(s string) {
	b.text = append(b.text, s...) // want b.text r: proof / b.text w: proof
	b.text[0] = ' '               // want b.text[0] w: proof
}

// Quote has callers here and elsewhere.
func Quote(b []byte) []byte {
	b[0] = '"' // want b[0] w: kept — of callers elsewhere
	return append(b, '"')
}

// List returns an object that leads to another one.
func List() *node {
	n := &node{}
	n.next = &node{} // want n.next w: proof
	n.next.n = 1     // want n.next r: proof / n.next.n w: proof
	return n
}

var last *node

// Keep returns an object to which a variable leads.
func Keep() *node {
	n := &node{}
	last = n
	n.n = 1 // want n.n w: kept
	return n
}

// Begin returns an object that a task knows.
func Begin() *node {
	n := &node{}
	go func() { n.n = 2 }() // want n.n w: kept
	return n
}

// Link returns an object to which the caller's object leads.
func Link(to *node) *node {
	n := &node{}
	to.next = n // want to.next w: kept
	n.n = 1     // want n.n w: kept
	return n
}

// Later returns an object and a function that writes it.
func Later() (*node, func()) {
	n := &node{}
	return n, func() { n.n = 2 } // want n.n w: kept
}

// Set gets an object back.
func Set(n *node) {
	n.n = 1          // want n.n w: kept
	n.next = &node{} // want n.next w: kept
	n.next.n = 1     // want n.next r: kept / n.next.n w: kept
}
