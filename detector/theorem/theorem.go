package theorem

// A Theorem is a statement that a clean run proves. Its value is a name that tools can read.
// The constants are in order, the strongest statement first.
type Theorem string

const (
	// Determinate speaks of all schedules of the input and of their results.
	Determinate Theorem = "determinate"

	// AnySchedule speaks of all schedules of the input.
	AnySchedule Theorem = "any-schedule"

	// SameOperations speaks of the schedules whose tasks make the same operations, in
	// any order of critical sections.
	SameOperations Theorem = "same-operations"

	// SectionOrder speaks of the schedules that keep the order of critical sections as
	// well.
	SectionOrder Theorem = "section-order"

	// SameChoices speaks of the schedules that choose as this run did at the places that the
	// verdict lists.
	SameChoices Theorem = "same-choices"

	// ThisRun speaks of the order of this run alone.
	ThisRun Theorem = "this-run"
)

// Text is the sentence of a verdict.
func (t Theorem) Text() string {
	switch t {
	case Determinate:
		return "no race in any schedule for this input, and all compute the same result"
	case AnySchedule:
		return "no race in any schedule for this input"
	case SameOperations:
		return "no race in any schedule of this run's operations"
	case SectionOrder:
		return "no race in schedules of this run's operations that keep the order of critical sections"
	case SameChoices:
		return "no race in schedules that keep these choices"
	case ThisRun:
		return "no race in this run"
	}
	return ""
}

// Kinds of choices, and of events outside of a model.
const (
	Select    = "select"
	Channel   = "channel with several senders or receivers"
	Atomic    = "atomic operation"
	Try       = "TryLock"
	Handover  = "lock that one task takes and another gives up"
	Sections  = "the order of critical sections"
	Conflicts = Sections + " that conflict"
	Left      = "a task that lets others run before it ends, out of depth-first order,"
	Order     = "an order between tasks that no finish scope makes, unknown to this detector,"
)
