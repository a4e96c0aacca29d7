package tasks

import (
	"testing"

	"taskinstr/benchmarks/zipper/programs"
)

// The programs are the programs of the table of models, with its verdicts, and compute
// the right results. Racy programs are excluded under -race.
func TestTable(t *testing.T) {
	if len(Table) != len(programs.Table) {
		t.Fatalf("%d programs, %d models", len(Table), len(programs.Table))
	}
	for i, p := range Table {
		if m := programs.Table[i]; p.Name != m.Name || p.Race != m.Race {
			t.Errorf("%s, race %v; the model is %s, race %v", p.Name, p.Race, m.Name, m.Race)
		}
		if p.Race {
			continue
		}
		if err := p.Run(); err != nil {
			t.Error(err)
		}
	}
	if _, err := Find("Nothing"); err == nil {
		t.Error("a program Nothing was found")
	}
}
