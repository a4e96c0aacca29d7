package scc

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// components collects a copy of each component.
func components(graph [][]uint32) (out [][]uint32) {
	Visit(len(graph), func(v uint32) []uint32 { return graph[v] }, func(c []uint32) { out = append(out, slices.Clone(c)) })
	return out
}

func TestVisit(t *testing.T) {
	for _, c := range []struct {
		name  string
		graph [][]uint32
		want  [][]uint32
	}{
		{"empty", nil, nil},
		{"alone", [][]uint32{nil, {1}}, [][]uint32{{0}, {1}}},
		{"chain", [][]uint32{{1}, {2}, nil}, [][]uint32{{2}, {1}, {0}}},
		{"cycle", [][]uint32{{1}, {2}, {0}}, [][]uint32{{2, 1, 0}}},
		{"cycle before a cycle", [][]uint32{{1}, {0, 2}, {3}, {2}}, [][]uint32{{3, 2}, {1, 0}}},
		{"cross edge to a complete component", [][]uint32{{1, 2}, nil, {1, 0}}, [][]uint32{{1}, {2, 0}}},
	} {
		got := components(c.graph)
		if !slices.EqualFunc(got, c.want, func(a, b []uint32) bool { return slices.Equal(a, b) }) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// TestRandom compares the components of random graphs with mutual reachability, and their
// order with the edges between them.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		n := 1 + r.IntN(9)
		graph := make([][]uint32, n)
		reach := make([][]bool, n)
		for v := range graph {
			reach[v] = make([]bool, n)
			reach[v][v] = true
		}
		for range r.IntN(3 * n) {
			v, w := r.IntN(n), r.IntN(n)
			graph[v] = append(graph[v], uint32(w))
			reach[v][w] = true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		number := make([]int, n)
		for i := range number {
			number[i] = -1
		}
		for i, c := range components(graph) {
			for _, v := range c {
				if number[v] >= 0 {
					t.Fatalf("%v: node %d is in two components", graph, v)
				}
				number[v] = i
			}
		}
		for v := range n {
			for w := range n {
				if same := reach[v][w] && reach[w][v]; same != (number[v] == number[w]) {
					t.Fatalf("%v: nodes %d and %d: in one component %v, want %v", graph, v, w, !same, same)
				}
				if reach[v][w] && number[v] < number[w] {
					t.Fatalf("%v: the component of %d comes before that of its successor %d", graph, v, w)
				}
			}
		}
	}
}
