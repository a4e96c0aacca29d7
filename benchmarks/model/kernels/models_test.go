package kernels

import (
	"testing"

	"taskinstr/benchmarks/model"
	"taskinstr/detector/event"
	"taskinstr/detector/offline/drdp"
)

// The models have no race, with either kind of declared accesses.
func TestClean(t *testing.T) {
	for _, m := range []Model{Matmul(64, 16), Strassen(64, 16), SparseLU(8, 4), Poisson(64, 16, 3)} {
		for _, checks := range []Checks{Rows, Each} {
			d, err := drdp.Spec.New(event.Config{Report: func(r event.Race) {
				t.Errorf("%s: race %+v", m.Name, r)
			}})
			if err != nil {
				t.Fatal(err)
			}
			if err := model.Run(d.Event, func(t *model.Task) { m.Run(t, checks) }); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Without one of its Gets, each model with promises has a race: nothing else orders the
// accesses.
func TestGetsMatter(t *testing.T) {
	for _, m := range []Model{Strassen(32, 16), SparseLU(5, 2), Poisson(32, 16, 2)} {
		gets := 0
		count := func(e *event.Event) {
			if e.Op == event.Get {
				gets++
			}
		}
		if err := model.Run(count, func(t *model.Task) { m.Run(t, Rows) }); err != nil {
			t.Fatal(err)
		}
		racy := 0
		for skip := range gets {
			races := 0
			d, err := drdp.Spec.New(event.Config{Report: func(event.Race) { races++ }})
			if err != nil {
				t.Fatal(err)
			}
			at := 0
			tell := func(e *event.Event) {
				if e.Op == event.Get {
					if at++; at-1 == skip {
						return
					}
				}
				d.Event(e)
			}
			if err := model.Run(tell, func(t *model.Task) { m.Run(t, Rows) }); err != nil {
				t.Fatal(err)
			}
			if races > 0 {
				racy++
			}
		}
		t.Logf("%s: %d of %d gets are needed", m.Name, racy, gets)
		if racy == 0 {
			t.Errorf("%s: no Get is needed", m.Name)
		}
	}
}
