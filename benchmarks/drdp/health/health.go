package health

import (
	"fmt"
)

func run(in input, racy bool) error {
	root := newTree(in)
	people := root.count()
	for day := range in.days {
		root.day(racy && day == 0)
	}
	if racy {
		return nil
	}
	return root.check(people)
}

func newTree(in input) *village {
	seed := uint64(0)
	return newVillage(nil, in, in.levels, &seed)
}

// each calls f for the village and all villages below it.
func (v *village) each(f func(*village)) {
	f(v)
	for _, b := range v.below {
		b.each(f)
	}
}

// count returns the number of people in the village and below. Referred patients already
// belong to the village above.
func (v *village) count() int {
	n := 0
	v.each(func(v *village) {
		n += v.healthy.len() + v.waiting.len() + v.assessed.len() + v.treated.len()
	})
	return n
}

// total adds up the counts of all villages.
func (v *village) total() stats {
	var t stats
	v.each(func(v *village) {
		t.sick += v.stats.sick
		t.waited += v.stats.waited
		t.assessed += v.stats.assessed
		t.treated += v.stats.treated
		t.referred += v.stats.referred
		t.home += v.stats.home
	})
	return t
}

// check tests that no person was lost, and that the counts of treatments agree with the
// lists of people and with the numbers of hospitals that they have visited.
func (v *village) check(people int) error {
	if n := v.count(); n != people {
		return fmt.Errorf("there were %d people and are %d", people, n)
	}
	t := v.total()
	var in, waiting, stays int
	v.each(func(v *village) {
		waiting += v.waiting.len()
		in += v.assessed.len() + v.treated.len()
		for _, q := range []queue{v.healthy, v.waiting, v.assessed, v.treated} {
			for p := q.first; p != nil; p = p.next {
				stays += p.stays
			}
		}
	})
	switch {
	case t.sick+t.referred != t.assessed+waiting:
		return fmt.Errorf("%d came, %d were assessed and %d wait", t.sick+t.referred, t.assessed, waiting)
	case t.assessed != t.home+t.referred+in:
		return fmt.Errorf("%d were assessed, %d left and %d are there", t.assessed, t.home+t.referred, in)
	case stays != t.assessed:
		return fmt.Errorf("people were in %d hospitals, which saw %d", stays, t.assessed)
	case t.sick == 0 || t.treated == 0 || t.referred == 0:
		return fmt.Errorf("nothing happened: %+v", t)
	}
	return nil
}
