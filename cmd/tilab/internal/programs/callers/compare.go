package callers

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Environment is the setting a program runs with: JSON reports, one for each race even if
// its pair of places is known.
const Environment = "TASKINSTR=format=json suppress_equal_stacks=0 recursion=0"

// A frame of a stack.
type frame struct {
	Function, File string
	Line           int
}

func (f frame) String() string { return fmt.Sprintf("%s %s:%d", f.Function, f.File, f.Line) }

// A line of a program's log.
type logLine struct {
	Object, Ended  *int
	Address, Size  uint64
	Task, Variable int
	Goroutine      uint64
	Stack          []frame
}

// A report holds the fields of one line of format=json that the comparison needs.
type report struct {
	Type             string
	Access, Previous side
}

type side struct {
	Kind, Address, Expression string
	Size                      uint64
	Goroutine                 uint64
	Stack                     []frame
}

// A record is the stack that a task recorded at its access of a variable.
type record struct {
	goroutine uint64
	stack     []frame
}

// A run is the output of a program: its log and its reports.
type run struct {
	objects map[int][2]uint64 // first address and size, by variables
	records map[int]*[2]record
	ended   map[int]bool // cases
	reports []report
}

// parse reads the log, which a program writes to standard output, and the reports from its
// standard error. Any other line there is an error.
func parse(log, reports []byte) (*run, error) {
	r := &run{objects: map[int][2]uint64{}, records: map[int]*[2]record{}, ended: map[int]bool{}}
	err := lines(log, func(text []byte) error {
		var l logLine
		if err := json.Unmarshal(text, &l); err != nil {
			return err
		}
		switch {
		case l.Object != nil:
			r.objects[*l.Object] = [2]uint64{l.Address, l.Size}
			r.records[*l.Object] = new([2]record)
		case l.Ended != nil:
			r.ended[*l.Ended] = true
		default:
			rec := r.records[l.Variable]
			if rec == nil || rec[l.Task].stack != nil {
				return fmt.Errorf("task %d has not one record of variable %d", l.Task, l.Variable)
			}
			rec[l.Task] = record{l.Goroutine, l.Stack}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the log: %w", err)
	}
	err = lines(reports, func(text []byte) error {
		var p report
		if err := json.Unmarshal(text, &p); err != nil {
			return err
		}
		r.reports = append(r.reports, p)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the reports: %w", err)
	}
	return r, nil
}

func lines(text []byte, f func([]byte) error) error {
	in := bufio.NewScanner(bytes.NewReader(text))
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		if err := f(in.Bytes()); err != nil {
			return fmt.Errorf("%w: %s", err, in.Text())
		}
	}
	return in.Err()
}

// Counts are the sizes of a comparison.
type Counts struct {
	Variables, Frames int
	Deep              int // stacks with the error that is allowed beyond 64 frames, see isDeep
}

func (c *Counts) add(d Counts) {
	c.Variables += d.Variables
	c.Frames += d.Frames
	c.Deep += d.Deep
}

func (c Counts) String() string {
	return fmt.Sprintf("%d variables, %d frames, %d wrong beyond 64 frames", c.Variables, c.Frames, c.Deep)
}

// compare returns the faults of the reports on the variables of a case.
func (r *run) compare(c *Case) (faults []string, counts Counts) {
	if !r.ended[c.Number] {
		return []string{"the case did not run to its end"}, counts
	}
	for _, v := range c.Variables {
		n := 0
		counts.Variables++
		for _, p := range r.reports {
			if !r.about(p, v) {
				continue
			}
			n++
			for _, s := range []side{p.Access, p.Previous} {
				counts.Frames += len(s.Stack)
			}
			f := r.compareReport(p, v, &counts)
			if f != "" {
				faults = append(faults, f)
				break
			}
		}
		if n == 0 {
			faults = append(faults, fmt.Sprintf("%s: no report", v.Expr))
		}
	}
	return faults, counts
}

// strangers returns the reports about memory that is none of the cases' variables.
func (r *run) strangers(cases []*Case) (faults []string) {
next:
	for _, p := range r.reports {
		for _, c := range cases {
			for _, v := range c.Variables {
				if r.about(p, v) {
					continue next
				}
			}
		}
		faults = append(faults, fmt.Sprintf("%s on memory that tasks do not share: %s, %v\n\tand %s, %v", p.Type, p.Access.Expression, p.Access.Stack, p.Previous.Expression, p.Previous.Stack))
	}
	return faults
}

func (r *run) about(p report, v Variable) bool {
	var a uint64
	fmt.Sscanf(p.Access.Address, "0x%x", &a)
	o, ok := r.objects[v.Number]
	return ok && a >= o[0] && a < o[0]+o[1]
}

// compareReport returns the fault of a report on the variable, "" if it has none, and
// counts the stacks with known faults.
func (r *run) compareReport(p report, v Variable, counts *Counts) string {
	if p.Type != "race" {
		return fmt.Sprintf("%s: %s", v.Expr, p.Type)
	}
	recs := r.records[v.Number]
	first := 0 // the task of p.Access
	if p.Access.Goroutine != recs[0].goroutine {
		first = 1
	}
	for i, s := range []side{p.Access, p.Previous} {
		t := first ^ i
		rec := recs[t]
		if rec.stack == nil {
			return fmt.Sprintf("%s: task %d recorded nothing", v.Expr, t)
		}
		why := ""
		if s.Goroutine != rec.goroutine {
			why = fmt.Sprintf("goroutine %d, not %d", s.Goroutine, rec.goroutine)
		} else {
			why = compareStacks(s.Stack, rec.stack, v.Leaf[t])
			switch {
			case why == "":
			case isDeep(s.Stack, rec.stack, v.Leaf[t]):
				counts.Deep++
				continue
			}
		}
		if why != "" {
			return fmt.Sprintf("%s, %s of %s by task %d: %s\n\treported:\n%s\trecorded:\n%s", v.Expr, s.Kind, s.Expression, t, why, list(s.Stack), list(rec.stack))
		}
	}
	return ""
}

func list(stack []frame) string {
	var b strings.Builder
	for _, f := range stack {
		fmt.Fprintf(&b, "\t\t%s\n", f)
	}
	return b.String()
}

// compareStacks returns the first difference between a report's stack and a recorded
// stack, "" if there is none. The report may begin with a function of the runtime whose
// name has the prefix leaf.
func compareStacks(reported, recorded []frame, leaf string) string {
	reported = withoutLeaf(reported, leaf)
	i, k := common(reported, recorded)
	switch {
	case i == len(reported) && k == len(recorded):
		return ""
	case i == len(reported):
		return fmt.Sprintf("%s is missing", recorded[k])
	case k == len(recorded):
		return fmt.Sprintf("%s at the end", reported[i])
	}
	return fmt.Sprintf("%s instead of %s", reported[i], recorded[k])
}

func withoutLeaf(reported []frame, leaf string) []frame {
	if leaf != "" && len(reported) > 0 && strings.HasPrefix(reported[0].Function, leaf) {
		return reported[1:]
	}
	return reported
}

// common compares a report's stack with a recorded stack from the innermost frame on. It
// returns the numbers of equal frames in both, which differ where the report has frames
// of wrappers.
func common(reported, recorded []frame) (i, k int) {
	for ; ; i++ {
		for k < len(recorded) && ofRuntime(recorded[k].Function) {
			k++
		}
		switch {
		case i == len(reported):
			return i, k
		case k < len(recorded) && equal(reported[i], recorded[k]):
			k++
		case !isWrapper(reported, i):
			return i, k
		}
	}
}

// The detector compares a stack deeper than deepTrust frames with the task's previous stack
// at its deepTrust innermost and deepRoots outermost frames only. If these are equal, it
// takes the frames between to be equal (docs/use/limitations.md).
const deepTrust, deepRoots = 64, 8

// isDeep reports whether two different stacks differ only in frames that the detector does
// not compare.
func isDeep(reported, recorded []frame, leaf string) bool {
	reported = withoutLeaf(reported, leaf)
	if i, k := common(reported, recorded); max(i, k) <= deepTrust {
		return false
	}
	n := 0
	for i, k := len(reported), len(recorded); n < deepRoots && i > 0 && k > 0; {
		switch {
		case ofRuntime(recorded[k-1].Function):
			k--
		case equal(reported[i-1], recorded[k-1]):
			i--
			k--
		case isWrapper(reported, i-1):
			i--
		default:
			return false
		}
		n++
	}
	return true
}

// ofRuntime reports whether a function is of the packages that reports leave out.
func ofRuntime(function string) bool {
	return strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "internal/runtime/")
}

// generated is the file name of functions without source text.
const generated = "<autogenerated>"

func equal(reported, recorded frame) bool {
	if recorded.File == generated {
		recorded.File, recorded.Line = "", 0
	}
	reported.Function = shorten(reported.Function)
	return reported == recorded
}

// shorten returns the name of a function as CallersFrames gives it: without type
// arguments.
func shorten(name string) string {
	i, j := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']')
	if i < 0 || j < i {
		return name
	}
	return name[:i] + "[...]" + name[j+1:]
}

var wrapperSuffix = regexp.MustCompile(`(-fm|\.gowrap\d+|\.deferwrap\d+)$`)

// isWrapper reports whether the i-th function is a wrapper of the compiler that Callers
// leaves out. A wrapper calls the function whose name it has, or it begins a goroutine, or
// it is a deferred call of the function after which it is named.
func isWrapper(stack []frame, i int) bool {
	f := stack[i]
	suffix := wrapperSuffix.FindString(f.Function)
	base := strings.TrimSuffix(f.Function, suffix)
	switch {
	case strings.HasPrefix(suffix, ".gowrap"):
		return i == len(stack)-1
	case strings.HasPrefix(suffix, ".deferwrap"):
		return slices.ContainsFunc(stack[i+1:], func(g frame) bool { return g.Function == base })
	case slices.Contains(markedWrappers, f.Function):
		return true
	case i == 0:
		return false
	}
	called := stack[i-1].Function
	if suffix == "-fm" {
		return method(called) == method(base)
	}
	// A promoted method, or a method with a value receiver that is called with a pointer.
	if f.File == "" {
		return method(called) == method(f.Function)
	}
	// A function that passes type arguments to the function for all types of a shape.
	return shorten(called) == shorten(f.Function) && strings.Contains(called, shape) && !strings.Contains(f.Function, shape)
}

// markedWrappers are functions with source text that are marked as wrappers, so that
// Callers leaves them out.
var markedWrappers = []string{"reflect.callReflect", "reflect.callMethod", "reflect.makeFuncStub", "reflect.methodValueCall"}

const shape = "[go.shape."

func method(function string) string { return function[strings.LastIndexByte(function, '.')+1:] }
