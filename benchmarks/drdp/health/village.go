package health

import (
	"math/rand/v2"

	"taskinstr/benchmarks/drdp/promise"
)

const (
	assessDays   = 3
	treatDays    = 10
	sickChance   = 0.01 // of each healthy person, each day
	treatChance  = 0.4  // of each assessed patient
	referChance  = 0.3  // of each assessed patient without treatment
	staffPerHead = 0.1
)

// A village writes its own fields, and the fields of its patients while it has them.
type village struct {
	up     *village
	below  []*village
	random *rand.Rand
	staff  int // free members of the staff

	healthy, waiting, assessed, treated queue
	referred                            queue // patients for the village above
	stats                               stats
}

type stats struct{ sick, waited, assessed, treated, referred, home int }

func newVillage(up *village, in input, level int, seed *uint64) *village {
	*seed++
	v := &village{up: up, random: rand.New(rand.NewPCG(26, *seed))}
	population := in.population << (in.levels - level)
	v.staff = 1 + int(staffPerHead*float64(population))
	for range population {
		v.healthy.push(new(patient))
	}
	if level > 1 {
		for range in.below {
			v.below = append(v.below, newVillage(v, in, level-1, seed))
		}
	}
	return v
}

// day simulates a day of the village and of all villages below it.
func (v *village) day(racy bool) {
	done := make([]promise.Done, len(v.below))
	for i, b := range v.below {
		done[i] = promise.Do(func() { b.day(false) })
	}
	v.hospital()
	for i, b := range v.below {
		if !racy || i > 0 {
			done[i].Get()
		}
		v.admit(b)
	}
	if racy {
		done[0].Get()
	}
}

// hospital simulates a day of the village's own hospital. It processes the stages from
// the last to the first.
func (v *village) hospital() {
	v.referred = queue{}
	for p := v.treated.drain(); p != nil; {
		next := p.next
		if p.left--; p.left == 0 {
			v.staff++
			v.goHome(p)
		} else {
			v.treated.push(p)
		}
		p = next
	}
	for p := v.assessed.drain(); p != nil; {
		next := p.next
		if p.left--; p.left > 0 {
			v.assessed.push(p)
		} else {
			v.decide(p)
		}
		p = next
	}
	for p := v.waiting.drain(); p != nil; {
		next := p.next
		if v.staff > 0 {
			v.staff--
			v.stats.assessed++
			p.left = assessDays
			p.stays++
			v.assessed.push(p)
		} else {
			v.stats.waited++
			v.waiting.push(p)
		}
		p = next
	}
	for p := v.healthy.drain(); p != nil; {
		next := p.next
		if v.random.Float64() < sickChance {
			v.stats.sick++
			v.waiting.push(p)
		} else {
			v.healthy.push(p)
		}
		p = next
	}
}

// decide chooses the next stage of an assessed patient.
func (v *village) decide(p *patient) {
	switch {
	case v.random.Float64() < treatChance:
		v.stats.treated++
		p.left = treatDays
		v.treated.push(p)
		return
	case v.up != nil && v.random.Float64() < referChance:
		v.stats.referred++
		v.referred.push(p)
	default:
		v.goHome(p)
	}
	v.staff++
}

// goHome moves a patient's home to the hospital's village, so that no village writes to
// the lists of another.
func (v *village) goHome(p *patient) {
	v.stats.home++
	v.healthy.push(p)
}

// admit takes over the patients that a village below has referred.
func (v *village) admit(below *village) {
	for p := below.referred.first; p != nil; {
		next := p.next
		v.waiting.push(p)
		p = next
	}
}
