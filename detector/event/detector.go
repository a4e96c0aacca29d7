package event

import "taskinstr/detector/theorem"

// A Detector receives the events of one execution, one after the other, and reports races
// through [Config.Report]. The caller owns an event and its slices: a detector copies the
// parts that it keeps.
type Detector interface {
	Event(e *Event)
	// Close ends the execution and returns the algorithm's own counters.
	Close() []Counter
}

// A Refuser is a detector that may be unable to analyze an execution, because of its size
// or its shape. After Close, Refused returns the reason, or nil if the detector has analyzed
// the execution. The races that a detector reported before it refused are races, but their
// absence proves nothing.
type Refuser interface {
	Refused() error
}

// A Counter is a named number that an algorithm counts: nodes, joins, queries.
type Counter struct {
	Name  string
	Value int64
}

// A Config holds the parameters of a new detector.
type Config struct {
	Report func(Race)        // never nil; called during Event or Close
	Option map[string]string // the detector's own options: see Spec.Options
}

// A Model is the set of event kinds that a detector understands.
type Model uint

const (
	Spawns   Model = 1 << iota // spawn and sync: a scope waits for all children of its task and for no other task
	Finish                     // async and finish, nested scopes
	Escaping                   // tasks that end in no scope, scopes that overlap
	Promises                   // Set and Get
	Isolated                   // sections of the lock Isolation
	Locks                      // locks, any number
	Branches                   // Branch and Possible
	RawOrder                   // the raw events
)

// A Spec describes a detector. Each detector's package exports one.
type Spec struct {
	Name    string
	Doc     string // one line
	Source  string // the paper
	Model   Model
	Serial  bool            // the detector needs depth-first order
	Theorem theorem.Theorem // the theorem that a clean run proves if the model covers all of its events
	Options []Option
	New     func(Config) (Detector, error)
}

// An Option is a setting of a detector.
type Option struct {
	Name, Doc string
	Values    []string // the first is the default; nil: any text is valid
}

// A Tier is the certainty of a race.
type Tier uint8

const (
	TierRace      Tier = iota // unordered in this execution
	TierPredicted             // ordered in this execution, but by locks alone; unordered in other schedules
	TierPossible              // at least one access belongs to the side of a branch that was not taken
)

func (t Tier) String() string { return [...]string{"race", "predicted race", "possible race"}[t] }

// A Race is a pair of accesses; First is the earlier one in the trace.
type Race struct {
	Tier          Tier
	First, Second Party
	Addr, Size    uint64 // the bytes that both access
	Note          string // an explanation by the detector, such as an order of sections under which the race is real
	Schedule      string // the record of a schedule (docs/design/schedule.md) that leads to the race; "": the detector has none
}

// A Party is one side of a race.
type Party struct {
	Task   uint32
	Kind   Kind
	Site   uint32
	Stack  uint32
	Branch uint64 // the decision whose other side has the access; 0: the access happened
}

// Party returns the access e as one side of a race.
func (e *Event) Party() Party {
	p := Party{Task: e.Task, Kind: e.Kind, Site: e.Site, Stack: e.Stack}
	if e.Op == Possible {
		p.Branch = e.Obj
	}
	return p
}
