package zipper

import "taskinstr/detector/graph"

// A fork is an Async node whose branches the traversal is in.
type fork struct {
	node   int32
	branch int32 // that the node belongs to
	first  int32 // the number of its first branch
	mark   int   // the height of the bag when the node was reached
	second bool  // the second branch is being traversed
	wait   int32 // the Wait node at which the branch of the node's own task ended, None: it ended with the task
}

// A bag is the branches that are parallel to the present node and were traversed
// before: ranges of their numbers.
type bag []branches

type branches struct{ from, to int32 }

// walk visits the nodes depth-first over the edges of tasks: behind an Async node its
// two branches, the child's first or last, and then the Wait node where both meet. It
// keeps a stack of its own, so that deep graphs exhaust nothing. It returns the number
// of branches.
func (o *Order) walk(childFirst bool, visit func(n, branch int32, parallel bag)) int32 {
	g := o.g
	if len(g.Nodes) == 0 {
		return 0
	}
	stack, parallel := o.stack[:0], o.bag[:0]
	branch, next := int32(0), int32(1)
	n := int32(0) // main's first node
	for {
		// Down: follow the branch until it meets another or its task ends.
		end := graph.None
		for n != graph.None {
			x := &g.Nodes[n]
			if x.Kind == graph.Wait && x.Partner != graph.None {
				end = n
				break
			}
			visit(n, branch, parallel)
			if x.Kind != graph.Async {
				n = x.Next
				continue
			}
			stack = append(stack, fork{node: n, branch: branch, first: next, mark: len(parallel), wait: graph.None})
			branch, next = next, next+1
			if childFirst {
				n = x.Child
			} else {
				n = x.Next
			}
		}
		// Up: to the fork that has a branch left, or to the Wait node of all that end here.
		for n = graph.None; n == graph.None; {
			if len(stack) == 0 {
				o.stack, o.bag = stack, parallel[:0]
				return next
			}
			f := &stack[len(stack)-1]
			x := &g.Nodes[f.node]
			if f.second == childFirst { // the branch of the node's own task ends
				f.wait = end
			}
			if !f.second {
				f.second = true
				parallel = append(parallel, branches{f.first, next})
				branch, next = next, next+1
				end = graph.None
				if n = x.Next; !childFirst {
					n = x.Child
				}
				if n == graph.None {
					continue // an empty branch: end again
				}
				break
			}
			parallel = parallel[:f.mark]
			branch, end = f.branch, f.wait
			stack = stack[:len(stack)-1]
			if end != graph.None && g.Nodes[end].Partner == f.node {
				// The scope's tasks have all met: the branch goes on.
				visit(end, branch, parallel)
				n = g.Nodes[end].Next
				end = graph.None
			}
		}
	}
}
