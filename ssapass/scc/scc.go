// Package scc finds the strongly connected components of a directed graph with the
// algorithm of R. Tarjan, Depth-first search and linear graph algorithms (1972),
// without recursion. Package ssapass summarizes each component of the call graph at
// once. Package pointsto unites the nodes on each cycle of copies.
package scc

import "slices"

// A Node is the number of a node, from 0.
type Node interface{ ~int32 | ~uint32 }

// A frame is a node on the path of the search, with the number of successors that the
// search has visited.
type frame[N Node] struct {
	v    N
	done int
}

// Visit calls component for each strongly connected component of the graph with nodes 0
// to n-1, successors before predecessors. The last node of a component is the node that
// the search reached first. The slice is valid during the call only.
//
// Function successors returns the successors of a node. Function component may change
// the successors of the nodes that it receives, since the search does not ask for them
// again.
func Visit[N Node](n int, successors func(N) []N, component func([]N)) {
	index := make([]int32, n) // order of the first visit, from 1; 0 is not visited
	low := make([]int32, n)   // least index that the search found to be reachable
	open := make([]bool, n)   // on the stack: visited, but its component is not complete
	var stack []N
	var path []frame[N]
	next := int32(1)
	visit := func(v N) {
		index[v], low[v], open[v] = next, next, true
		next++
		stack = append(stack, v)
		path = append(path, frame[N]{v: v})
	}
	for r := range n {
		if index[r] == 0 {
			visit(N(r))
		}
		for len(path) > 0 {
			f := &path[len(path)-1]
			v := f.v
			if list := successors(v); f.done < len(list) {
				w := list[f.done]
				f.done++
				if index[w] == 0 {
					visit(w)
				} else if open[w] {
					low[v] = min(low[v], index[w])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				p := path[len(path)-1].v
				low[p] = min(low[p], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			end := len(stack)
			for first := false; !first; {
				end--
				open[stack[end]] = false
				first = stack[end] == v
			}
			members := stack[end:]
			slices.Reverse(members)
			component(members)
			stack = stack[:end]
		}
	}
}
