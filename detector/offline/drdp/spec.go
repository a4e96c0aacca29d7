package drdp

import (
	"fmt"

	"taskinstr/detector/event"
	"taskinstr/detector/theorem"
)

// Spec describes the detector.
var Spec = event.Spec{
	Name:    "drdp",
	Doc:     "promises: program structure tree, non-tree joins and a search through them",
	Source:  "Jin, Yu, Cogumbreiro, Shirako, Sarkar: Dynamic Determinacy Race Detection for Task-Parallel Programs with Promises, ECOOP 2023",
	Model:   event.Finish | event.Escaping | event.Promises,
	Serial:  false, // the paper's execution is depth-first; the search works in any order
	Theorem: theorem.Determinate,
	Options: options,
	New: func(c event.Config) (event.Detector, error) {
		var second [3]bool // by option: whether it has its second value
		for i, o := range options {
			switch c.Option[o.Name] {
			case "", o.Values[0]:
			case o.Values[1]:
				second[i] = true
			default:
				return nil, fmt.Errorf("drdp: option %s=%s: it takes %s or %s", o.Name, c.Option[o.Name], o.Values[0], o.Values[1])
			}
		}
		return newDetector(c.Report, traversal{second[0], second[1], second[2]}), nil
	},
}

// options lists the options in the order of the fields of traversal. Each has two values.
var options = []event.Option{
	{Name: "order", Doc: "the order of the search through the joins", Values: []string{"breadth-first", "depth-first"}},
	{Name: "joins", Doc: "the order in which the search reads a task's joins, which are sorted by age", Values: []string{"back-to-front", "front-to-back"}},
	{Name: "age", Doc: "the joins that the search reads: only those newer than the access, or all, as in the paper", Values: []string{"newer", "all"}},
}
