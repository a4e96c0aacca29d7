package espbags

import "taskinstr/detector/serial"

// The names that package rt uses of a detector.
type (
	Task     = serial.Task
	Kind     = serial.Kind
	Options  = serial.Options
	Report   = serial.Report
	Side     = serial.Side
	HeldLock = serial.HeldLock
)

const (
	Read        = serial.Read
	Write       = serial.Write
	AtomicRead  = serial.AtomicRead
	AtomicWrite = serial.AtomicWrite

	Covered = serial.Covered
	Unknown = serial.Unknown
	Open    = serial.Open
)
