package espbags

import "taskinstr/detector/serial"

// The names that package rt uses of a detector.
type (
	Task    = serial.Task
	Options = serial.Options
)
