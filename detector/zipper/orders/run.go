package orders

import "taskinstr/detector/event"

// A Run executes the program once. At its first points it makes the given choices; an
// error says that a task that was chosen does not stand in front of a section, or that
// the program failed.
type Run func(choices []string) (Execution, error)

// An Execution is one run of the program.
type Execution struct {
	Trace  []event.Event
	Points []Point // one for each section of the trace, in their order
}

// A Point is where one of several tasks enters its section.
type Point struct {
	Ready  []string // the tasks that stand in front of a section, by name
	Chosen string
}

// Choices returns what was chosen in the execution.
func (x *Execution) Choices() []string {
	list := make([]string, len(x.Points))
	for i, p := range x.Points {
		list[i] = p.Chosen
	}
	return list
}
