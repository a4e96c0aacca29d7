package orders

import "taskinstr/detector/event"

// A Run executes the program once. At its first points it makes the given choices. It
// returns an error if a chosen task is not about to enter a section, or if the program
// fails.
type Run func(choices []string) (Execution, error)

// An Execution is one run of the program.
type Execution struct {
	Trace  []event.Event
	Points []Point // by section of the trace, in their order
}

// A Point is the situation in which one of several tasks enters its section.
type Point struct {
	Ready  []string // the tasks that are about to enter a section, by name
	Chosen string
}

// Choices returns the choices of the execution.
func (x *Execution) Choices() []string {
	list := make([]string, len(x.Points))
	for i, p := range x.Points {
		list[i] = p.Chosen
	}
	return list
}
