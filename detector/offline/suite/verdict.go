package suite

import (
	"taskinstr/detector/event"
	"taskinstr/detector/theorem"
)

// conclude determines the theorem that a run of a detector has proved. sections are the
// critical sections whose order may matter, if they weaken the theorem.
func (s *session) conclude(r *Result, sections []Outside) error {
	if len(r.Races) > 0 || len(r.Outside) > 0 || r.Partial || r.Refused != nil {
		return nil
	}
	r.Theorem = r.Choice.Spec.Theorem
	switch {
	case r.Theorem == theorem.SameChoices:
		if !s.counted {
			var err error
			if s.choices, err = choicesOf(s.structured, s.harness); err != nil {
				return err
			}
			s.counted = true
		}
		r.Choices = s.choices
		if len(r.Choices) == 0 {
			r.Theorem = theorem.AnySchedule
		}
	case len(sections) > 0:
		r.Theorem, r.Choices = theorem.SameOperations, sections
	}
	return nil
}

// Verdict describes the result of a detector's run.
func (r *Result) Verdict() string {
	races, predicted, possible := r.Count()
	switch {
	case races > 0 && len(r.Outside) > 0:
		return "data races were found; synchronization outside of the detector's model may order some of them"
	case races > 0:
		return "data races were found"
	case predicted > 0:
		return "data races were predicted: other schedules of this input have them"
	case possible > 0:
		return "data races are possible"
	case r.Refused != nil:
		return "not analysed: " + r.Refused.Error()
	case len(r.Outside) > 0:
		return "no race found; nothing is proved, because some events are outside of the detector's model"
	case r.Partial:
		return "no race found in the recorded part of the run; nothing is proved about the rest"
	}
	return r.Theorem.Text()
}

// Count returns the number of races by tier.
func (r *Result) Count() (races, predicted, possible int) {
	for _, x := range r.Races {
		switch x.Tier {
		case event.TierPredicted:
			predicted++
		case event.TierPossible:
			possible++
		default:
			races++
		}
	}
	return
}
