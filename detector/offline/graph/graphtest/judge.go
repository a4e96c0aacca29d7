// Package graphtest judges traces by brute force, to check the graph and the algorithms
// on it. It computes the order of single events, including the order of critical
// sections, as a set of predecessors for each event, and examines all pairs of accesses.
package graphtest

import (
	"taskinstr/detector/event"
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
	past := predecessors(trace)
	nodes := Nodes(trace)
	for i := range trace {
		b := &trace[i]
		for k := range i {
			a := &trace[k]
			if a.Op != event.Access || b.Op != event.Access || past[i][k] || a.Task == b.Task || !a.Kind.Conflicts(b.Kind) {
				continue
			}
			lo, hi := max(a.Addr, b.Addr), min(a.Addr+a.Size, b.Addr+b.Size)
			if lo >= hi {
				continue
			}
			j.Pairs[Pair{min(nodes[i], nodes[k]), max(nodes[i], nodes[k])}] = true
			for x := lo; x < hi; x++ {
				j.Bytes[x] = true
			}
		}
	}
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

// predecessors returns, for each event, the set of events that precede it.
func predecessors(trace []event.Event) [][]bool {
	fresh := func() []bool { return make([]bool, len(trace)) }
	join := func(a, b []bool) {
		for i := range b {
			a[i] = a[i] || b[i]
		}
	}
	tasks := map[uint32][]bool{0: fresh()}
	type key struct {
		obj       uint64
		lock      bool
		exclusive bool
	}
	handed := map[key][]bool{}
	at := func(k key) []bool {
		if handed[k] == nil {
			handed[k] = fresh()
		}
		return handed[k]
	}
	past := make([][]bool, len(trace))
	for i := range trace {
		e := &trace[i]
		t := tasks[e.Task]
		switch e.Op {
		case event.FinishEnd, event.Get:
			join(t, at(key{obj: e.Obj}))
		case event.Lock:
			join(t, at(key{e.Obj, true, true}))
			if !e.Shared {
				join(t, at(key{e.Obj, true, false}))
			}
		}
		past[i] = append([]bool(nil), t...)
		t[i] = true
		switch e.Op {
		case event.Fork:
			tasks[e.Other] = append([]bool(nil), t...)
		case event.End, event.Set:
			join(at(key{obj: e.Obj}), t)
		case event.Unlock:
			join(at(key{e.Obj, true, !e.Shared}), t)
		}
	}
	return past
}
