package datarace

import (
	"slices"

	"taskinstr/benchmarks/model"
	"taskinstr/detector/event"
)

// Find executes the program's model under a detector and returns the sorted names of the
// variables on which the detector finds races.
func (p Program) Find(spec event.Spec, options map[string]string) ([]string, error) {
	type named struct {
		v    model.Var
		name string
	}
	var known []named
	var racy []string
	d, err := spec.New(event.Config{Option: options, Report: func(r event.Race) {
		for _, k := range known {
			if k.v.Addr <= r.Addr && r.Addr < k.v.Addr+k.v.Size && !slices.Contains(racy, k.name) {
				racy = append(racy, k.name)
			}
		}
	}})
	if err != nil {
		return nil, err
	}
	const intSize = 8
	err = model.Run(d.Event, func(t *model.Task) {
		p.Model(t, func(name string) model.Var {
			v := t.Var(intSize)
			known = append(known, named{v, name})
			return v
		})
	})
	d.Close()
	slices.Sort(racy)
	return racy, err
}
