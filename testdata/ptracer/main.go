// Command ptracer holds the 120 tests that PTRacer was evaluated with, by category:
// small task parallel programs with and without locks and with branches whose outcome
// depends on the schedule (Yoga, Nagarakatte and Gupta, "Parallel data race detection
// for task parallel programs with locks", section 5). The paper gives the counts
// alone: 60 programs with a race, 14 of which need the branch not taken, and 60
// without. The programs are our own.
//
//	ptracer                                          lists the tests
//	ptracer [-order observed|reversed|free] NAME...  runs them, each to its end
//
// # Labels
//
// A test is a method, and the type of its receiver is its label:
//
//   - racy: in every schedule the two accesses are unordered;
//   - predicted: the order in which the observed run takes its locks hides the race, and
//     another order shows it;
//   - branchFeasible: one of the accesses stands in a branch that the observed run does
//     not take; another schedule takes the branch, and there the two accesses race;
//   - branchInfeasible: likewise, but no schedule takes the branch, or the accesses are
//     ordered in each one that does;
//   - clean: no schedule has a race.
//
// The comments "want" name the lines of each race and the expression there; package
// cmd/tilab/internal/programs defines them. Besides race and predicted there are
// three of what a detector sees that knows more than the accesses of one run:
// feasible and infeasible, races with a branch not taken, and commuting, races that are
// hidden by critical sections which touch the same memory and might yet change places.
//
// # Schedules
//
// Where a label depends on the schedule, a test starts its tasks by inOrder or before.
// In the observed schedule tasks run in the order in which they are started, as in
// serial depth-first execution. In the reversed one the last comes first: the label
// predicted owes a race there, too, branchFeasible one with the branch that is taken
// now, and branchInfeasible none. Free leaves it to the scheduler.
package main

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
)

type (
	racy             struct{}
	predicted        struct{}
	branchFeasible   struct{}
	branchInfeasible struct{}
	clean            struct{}
)

var labels = []struct {
	name  string
	tests reflect.Value
}{
	{"racy", reflect.ValueOf(racy{})},
	{"predicted", reflect.ValueOf(predicted{})},
	{"branch-feasible", reflect.ValueOf(branchFeasible{})},
	{"branch-infeasible", reflect.ValueOf(branchInfeasible{})},
	{"clean", reflect.ValueOf(clean{})},
}

func main() {
	flag.StringVar(&order, "order", observed, "of the tasks: observed, reversed or free")
	flag.Parse()
	if order != observed && order != reversed && order != free {
		fail("-order=%s: want %s, %s or %s", order, observed, reversed, free)
	}
	if flag.NArg() == 0 {
		for _, l := range labels {
			for i := range l.tests.NumMethod() {
				fmt.Println(l.name + "/" + l.tests.Type().Method(i).Name)
			}
		}
	}
	for _, name := range flag.Args() {
		run(name)
		fmt.Fprintf(os.Stderr, "case %s ended\n", name)
	}
}

func run(name string) {
	for _, l := range labels {
		if method, ok := strings.CutPrefix(name, l.name+"/"); ok {
			if test := l.tests.MethodByName(method); test.IsValid() {
				test.Interface().(func())()
				return
			}
		}
	}
	fail("no test %q; without arguments all are listed", name)
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "ptracer: "+format+"\n", args...)
	os.Exit(2)
}
