package event

import "taskinstr/detector/theorem"

// A Detector is told the events of one execution, one after the other, and reports
// what it finds through [Config.Report]. An event and its slices are the caller's:
// a detector copies what it keeps.
type Detector interface {
	Event(e *Event)
	// Close ends the execution and returns the algorithm's own counters.
	Close() []Counter
}

// A Refuser is a detector that may be unable to analyse an execution, for its size or
// its shape. After Close, Refused returns the reason, or nil if the detector has analysed the
// execution. The races that a detector reported before it refused are races, but their
// absence proves nothing.
type Refuser interface {
	Refused() error
}

// A Counter is one number that an algorithm counts: nodes, joins, queries.
type Counter struct {
	Name  string
	Value int64
}

// A Config is what a detector is made with.
type Config struct {
	Report func(Race)        // never nil; called while an event is being told, or by Close
	Option map[string]string // of the detector's own: see Spec.Options
}

// A Model says what kinds of events a detector understands.
type Model uint

const (
	Spawns   Model = 1 << iota // spawn and sync: a scope waits for all children that its task has, and for nobody else
	Finish                     // async and finish, nested scopes
	Escaping                   // tasks that end in no scope, scopes that overlap
	Promises                   // Set and Get
	Isolated                   // sections of the lock Isolation
	Locks                      // locks, any number
	Branches                   // Branch and Possible
	RawOrder                   // raw events
)

// A Spec describes a detector. Each package of a detector exports one.
type Spec struct {
	Name    string
	Doc     string // one line
	Source  string // the paper
	Model   Model
	Serial  bool            // wants depth-first order
	Theorem theorem.Theorem // what a clean run proves, if all that happened was in the model
	Options []Option
	New     func(Config) (Detector, error)
}

// An Option is a setting of one detector.
type Option struct {
	Name, Doc string
	Values    []string // the first is the default; nil: any text
}

// A Tier is how sure a race is.
type Tier uint8

const (
	TierRace      Tier = iota // unordered in this execution
	TierPredicted             // ordered by locks alone in this execution, in other schedules not
	TierPossible              // involves an access of a branch that was not taken
)

func (t Tier) String() string { return [...]string{"race", "predicted race", "possible race"}[t] }

// A Race is a pair of accesses, First being the earlier one in the trace.
type Race struct {
	Tier          Tier
	First, Second Party
	Addr, Size    uint64 // the bytes that both access
	Note          string // what the detector has to add, such as an order of sections that makes the race true
	Schedule      string // the record of a schedule (docs/schedule.md) that leads to the race, "" if the detector has none
}

// A Party is one side of a race.
type Party struct {
	Task   uint32
	Kind   Kind
	Site   uint32
	Stack  uint32
	Branch uint64 // the decision whose other side has the access, 0: the access happened
}

// Party returns what a race says of an access.
func (e *Event) Party() Party {
	p := Party{Task: e.Task, Kind: e.Kind, Site: e.Site, Stack: e.Stack}
	if e.Op == Possible {
		p.Branch = e.Obj
	}
	return p
}
