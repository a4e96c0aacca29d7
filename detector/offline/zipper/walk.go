package zipper

import "taskinstr/detector/offline/graph"

// A fork is an Async node below which the traversal is.
type fork struct {
	node   int32
	branch int32 // the branch of the node
	first  int32 // the number of the node's first branch
	mark   int   // the height of the bag when the traversal reached the node
	second bool  // the second branch is being traversed
	wait   int32 // the Wait node at which the branch of the node's own task ended; None: at the end of the task
}

// A bag holds the branches that are parallel to the present node and were traversed
// before, as ranges of their numbers.
type bag []branches

type branches struct{ from, to int32 }

// walk visits the nodes depth-first over the edges of tasks: after an Async node its two
// branches, the child's first if childFirst is set, and then the Wait node where both
// meet. Its explicit stack permits deep graphs. It returns the number of branches.
func (o *Order) walk(childFirst bool, visit func(n, branch int32, parallel bag)) int32 {
	g := o.g
	if len(g.Nodes) == 0 {
		return 0
	}
	stack, parallel := o.stack[:0], o.bag[:0]
	branch, next := int32(0), int32(1)
	n := int32(0) // main's first node
	for {
		// Down: follow the branch to its Wait node or to the end of its task.
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
		// Up: to the fork with an untraversed branch, or to the Wait node of all branches
		// that end here.
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
					continue // an empty branch: up again
				}
				break
			}
			parallel = parallel[:f.mark]
			branch, end = f.branch, f.wait
			stack = stack[:len(stack)-1]
			if end != graph.None && g.Nodes[end].Partner == f.node {
				// The scope's tasks have all met: the branch continues.
				visit(end, branch, parallel)
				n = g.Nodes[end].Next
				end = graph.None
			}
		}
	}
}
