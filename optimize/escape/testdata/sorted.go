// Slices that are filled and then sorted: one check of all elements covers what the sort does.
package main

import (
	"slices"
	"sort"
)

func ordered(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = n - i // want list[i] w: guarded
	}
	sort.Ints(list)
	return list
}

func byHand(n int) int {
	list := make([]int, n)
	for i := range list {
		list[i] = n - i // want list[i] w: guarded
	}
	sort.Slice(list, func(a, b int) bool { return list[a] < list[b] })
	return list[0]
}

func generic(n int) int {
	list := make([]int, n)
	for i := range n {
		list[i] = n - i // want list[i] w: guarded
	}
	list[0] = 7 // want list[0] w: proof — not in a loop
	slices.Sort(list)
	return list[0]
}

func unsorted(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = n - i // want list[i] w: proof
	}
	list[n/2] = 0 // want list[n/2] w: proof
	return list
}

var kept [][]int

func main() {
	kept = append(kept, ordered(9), unsorted(9)) // want kept r: kept / kept w: kept
	go func() {
		println(len(kept), byHand(9), generic(9)) // want kept r: kept
	}()
}
