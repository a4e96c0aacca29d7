package parallel

import "taskinstr/detector/race"

// The words of package race, short in the code of the engine.
type (
	Kind     = race.Kind
	Report   = race.Report
	Side     = race.Side
	HeldLock = race.HeldLock
)

const (
	Read        = race.Read
	Write       = race.Write
	AtomicRead  = race.AtomicRead
	AtomicWrite = race.AtomicWrite

	Unknown = race.Unknown
	Covered = race.Covered
	Open    = race.Open
)
