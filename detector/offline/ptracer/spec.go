package ptracer

import (
	"taskinstr/detector/event"
	"taskinstr/detector/theorem"
)

// Spec describes the detector.
var Spec = event.Spec{
	Name:    "ptracer",
	Doc:     "async, finish and locks, for all orders of critical sections; branches not taken",
	Source:  "Yoga, Nagarakatte, Gupta: Parallel Data Race Detection for Task Parallel Programs with Locks, FSE 2016",
	Model:   event.Finish | event.Isolated | event.Locks | event.Branches,
	Theorem: theorem.SameOperations,
	Options: []event.Option{
		{Name: "lca-cache", Doc: "whether relations of steps are remembered", Values: []string{"on", "off"}},
		{Name: "access-cache", Doc: "whether accesses that a step repeats are left out", Values: []string{"on", "off"}},
		{Name: "diagnosis", Doc: "the solver that decides whether a possible race is feasible; off: none", Values: []string{"sat", "z3", "both", "off"}},
		{Name: "window", Doc: "the number of events that are kept for the diagnosis"},
	},
	New: func(c event.Config) (event.Detector, error) {
		n := fullSizes
		if c.Option["lca-cache"] == "off" {
			n.lca = 0
		}
		if c.Option["access-cache"] == "off" {
			n.access = 0
		}
		later, err := newDiagnoser(c.Option)
		if err != nil {
			return nil, err
		}
		return newDetector(c.Report, n, later), nil
	},
}
