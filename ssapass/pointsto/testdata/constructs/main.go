// Command constructs has a function for each construct of Go that moves pointers.
//
// A comment "alloc NAME" names the objects that its line allocates, "alloc NAME escapes"
// says also that external code may reach them, and "alloc NAME maybe" leaves that to the
// version of the standard library. The comment of a call points(v) has the names of all
// objects that v may point to, "unknown" if v may come from external code, and "..." if
// there may be more. The calls alias(p, q) and apart(p, q) say whether *p and *q may share
// memory.
package main

func points[T any](v T) {}

func alias[T, U any](p *T, q *U) {}

func apart[T, U any](p *T, q *U) {}

func main() {
	aliases()
	values()
	interfaces()
	closures()
	maps()
	channels()
	slices()
	generics()
	methods()
	tasks()
	externals()
}
