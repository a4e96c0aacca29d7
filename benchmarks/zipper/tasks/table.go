package tasks

import (
	"context"
	"fmt"
	"strings"

	"taskinstr/rt/task"
)

// A Program is a row of the table.
type Program struct {
	Name string
	Race bool // it has a data race in some order of its isolated sections
	run  func(t *task.Task) (got, want int)
}

const (
	no  = false
	yes = true
)

// Table is all programs in the order of the paper.
var Table = []Program{
	{"ClumpedAccess", no, clumpedAccess},
	{"PrimitiveArrayNoRace", no, primitiveArray(1)},
	{"PrimitiveArrayRace", yes, primitiveArray(0)},
	{"SimpleSimple", yes, simple(1)},
	{"SimpleSimpleSimple2", yes, simple(2)},
	{"VectorAdd", no, vectorAdd(4, 4)},
	{"DataRaceIsolateSimple", yes, isolateSimple(1)},
	{"DoubleBranchExample", no, doubleBranch},
	{"DataRaceIsolateSimple1", yes, isolateSimple(2)},
	{"ForallWithIterable", no, forall(7)},
	{"IsolatedBlockNo", no, isolatedBlocks(3)},
	{"Add", no, vectorAdd(10, 1)},
	{"PrimeNumCounter", no, primes(2, 9, 4)},
	{"PrimeNumCounterForAll", no, primesForAll(9, 7)},
	{"ScalarMultiply", no, scalarMultiply(12)},
	{"TwoDimArrays", no, twoDim(12, 4)},
	{"ReciprocalArraySumFutures", no, reciprocalFutures(10)},
	{"IntegerCounterIsolated", no, isolatedBlocks(8)},
	{"PrimeNumCounterForAsync", no, primes(6, 23, 6)},
	{"Antidep1VarYes", yes, antidep1(20)},
	{"Antidep2OrigYes", yes, antidep2(20, 20)},
	{"ReciprocalArraySum", no, reciprocal(25)},
	{"PipelineWithFutures", no, pipeline(7)},
	{"DoAll1OrigNo", no, doAll1(100)},
	{"DoAll2OrigNo", no, doAll2(100, 100)},
	{"Antidep1OrigYes", yes, antidep1(1000)},
	{"Antidep2VarYes", yes, antidep2(1000, 20)},
}

// Find returns the program with a name. Its error lists the names.
func Find(name string) (Program, error) {
	var names []string
	for _, p := range Table {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Program{}, fmt.Errorf("no program %q; there are %s", name, strings.Join(names, ", "))
}

// Run executes the program. It returns an error if the result is wrong; the result of a
// program with a race is not checked.
func (p Program) Run() error {
	got, want := 0, 0
	if err := task.Finish(context.Background(), func(t *task.Task) { got, want = p.run(t) }); err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	if got != want && !p.Race {
		return fmt.Errorf("%s: the result is %d, want %d", p.Name, got, want)
	}
	return nil
}
