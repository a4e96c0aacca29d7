// Package graphtest judges traces by brute force, to check the graph and the algorithms
// on it.
package graphtest

import (
	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
	"taskinstr/detector/offline/graph"
)

// A Pair is two nodes of a graph, the smaller number first.
type Pair struct{ A, B int32 }

// A Judgement holds the racing nodes of a trace's graph and the racing bytes.
type Judgement struct {
	Pairs map[Pair]bool
	Bytes map[uint64]bool
}

// Judge returns the races of a trace, given the order of its critical sections. Time and
// memory are quadratic.
func Judge(trace []event.Event) Judgement {
	j := Judgement{map[Pair]bool{}, map[uint64]bool{}}
	nodes := Nodes(trace)
	differential.Conflicts(trace, true, func(k, i int, lo, hi uint64) {
		j.Pairs[Pair{min(nodes[i], nodes[k]), max(nodes[i], nodes[k])}] = true
		for x := lo; x < hi; x++ {
			j.Bytes[x] = true
		}
	})
	return j
}

// Nodes returns for each event of a trace the last node of its task after it.
func Nodes(trace []event.Event) []int32 {
	b := graph.NewBuilder()
	nodes := make([]int32, len(trace))
	for i := range trace {
		b.Event(&trace[i])
		nodes[i] = b.Node(trace[i].Task)
	}
	return nodes
}
