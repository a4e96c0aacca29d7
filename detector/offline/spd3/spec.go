package spd3

import (
	"taskinstr/detector/event"
	"taskinstr/detector/theorem"
)

// Spec describes the detector.
var Spec = event.Spec{
	Name:    "spd3",
	Doc:     "program structure tree, two readers and one writer for each byte",
	Source:  "Raman, Zhao, Sarkar, Vechev, Yahav: Scalable and Precise Dynamic Datarace Detection for Structured Parallelism, PLDI 2012",
	Model:   event.Finish,
	Theorem: theorem.AnySchedule,
	New:     func(c event.Config) (event.Detector, error) { return newDetector(c.Report), nil },
}
