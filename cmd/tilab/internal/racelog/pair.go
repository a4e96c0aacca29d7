package racelog

import "slices"

// A Pair holds the places of the two accesses of a race, sorted.
type Pair [2]string

// Pair returns the places of the report.
func (r *Report) Pair() Pair {
	if r.Places[1] < r.Places[0] {
		return Pair{r.Places[1], r.Places[0]}
	}
	return r.Places
}

func (p Pair) String() string { return p[0] + " and " + p[1] }

// Agrees reports whether q may be the same race as p. Go's detector forgets stacks. If q
// lacks a place, only the other place is compared.
func (p Pair) Agrees(q Pair) bool {
	switch {
	case q[0] == "" && q[1] == "":
		return false
	case q[0] == "":
		return p[0] == q[1] || p[1] == q[1]
	}
	return p == q
}

// Pairs returns the distinct pairs among reports of one tier, in order of
// appearance.
func Pairs(reports []Report, predicted bool) (list []Pair) {
	for _, r := range reports {
		if p := r.Pair(); r.Predicted == predicted && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// Confirm splits races by whether they are in stock: notes describes those that are, wrong
// holds those that are not.
func Confirm(races, stock []Pair) (wrong, notes []string) {
	for _, p := range races {
		if slices.ContainsFunc(stock, p.Agrees) {
			notes = append(notes, "race, confirmed by -race: "+p.String())
		} else {
			wrong = append(wrong, p.String())
		}
	}
	return wrong, notes
}
