package oracle

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"taskinstr/detector/parallel"
)

// An Op is the operation of an event.
type Op uint8

const (
	Fork Op = iota // Task creates Other; Task < 0: a task without a parent
	End
	Acquire
	Release
	ReleaseMerge
	ReleaseAcquire
	Meet       // Task and Other synchronize with each other
	AcquireAll // Task is ordered after everything so far
	Background // Task, which is new, does nothing before its AcquireAll
	Lock
	Unlock
	Order // Task's critical sections use the object at Addr, see parallel.Order
	Access
	Alloc
	Sweep      // the detector sweeps; no event of the program
	Invalidate // all filters expire; no event of the program
)

// An Event is one action of task Task. The main task is 0. The n-th Fork of a trace
// creates task n, which Other names.
type Event struct {
	Op     Op
	Task   int
	Other  int
	Addr   uintptr
	N      uintptr
	Kind   parallel.Kind
	Shared bool
	Quiet  bool // of Lock: parallel.Task.Quiet; of an atomic Access: parallel.Task.Word
	Site   uintptr
}

// A trace is written in the notation of its events, with a line for each run of one task:
//
//	0 fork 1; 0 fork 2
//	1 lock l; 1 write x+8 @3; 1 unlock l
//
// An event is the number of its task, its operation, and the other task or the address. x, l and
// o are the first addresses of data, locks and objects. An access has a size, :4, unless it is 8,
// and a site, @3.

// operations has the words for operations, modes and kinds of access.
var operations = map[string]Event{
	"fork": {Op: Fork}, "end": {Op: End}, "meet": {Op: Meet}, "acquire-all": {Op: AcquireAll}, "background": {Op: Background},
	"acquire": {Op: Acquire}, "release": {Op: Release}, "merge": {Op: ReleaseMerge}, "exchange": {Op: ReleaseAcquire},
	"lock": {Op: Lock}, "rlock": {Op: Lock, Shared: true}, "unlock": {Op: Unlock}, "runlock": {Op: Unlock, Shared: true},
	"quiet-lock": {Op: Lock, Quiet: true}, "quiet-rlock": {Op: Lock, Shared: true, Quiet: true},
	"order-read": {Op: Order}, "order-write": {Op: Order, Kind: parallel.Write}, "order-atomic-write": {Op: Order, Kind: parallel.AtomicWrite},
	"read": {Op: Access}, "write": {Op: Access, Kind: parallel.Write},
	"atomic-read": {Op: Access, Kind: parallel.AtomicRead}, "atomic-write": {Op: Access, Kind: parallel.AtomicWrite},
	"lock-word": {Op: Access, Kind: parallel.AtomicWrite, Quiet: true},
	"alloc":     {Op: Alloc}, "sweep": {Op: Sweep}, "invalidate": {Op: Invalidate},
}

func (v Event) String() string {
	word := ""
	for w, e := range operations {
		if e == (Event{Op: v.Op, Kind: v.Kind, Shared: v.Shared, Quiet: v.Quiet}) {
			word = w
		}
	}
	s := fmt.Sprintf("%d %s", v.Task, word)
	switch v.Op {
	case Fork, Meet:
		return fmt.Sprintf("%s %d", s, v.Other)
	case AcquireAll, Background, End, Sweep, Invalidate:
		return s
	}
	name, from := "x", uintptr(base)
	if v.Addr >= things {
		name, from = "o", things
	} else if v.Addr >= locks {
		name, from = "l", locks
	}
	s += " " + name
	if v.Addr != from {
		s += fmt.Sprintf("%+d", int(v.Addr)-int(from))
	}
	if v.N != 0 && v.N != wordSize {
		s += fmt.Sprintf(":%d", v.N)
	}
	if v.Site != 0 {
		s += fmt.Sprintf(" @%d", v.Site)
	}
	return s
}

const wordSize = 8

// Format writes a trace for [Parse].
func Format(trace []Event) string {
	var b strings.Builder
	for i, v := range trace {
		switch {
		case i == 0:
		case v.Task == trace[i-1].Task:
			b.WriteString("; ")
		default:
			b.WriteString("\n")
		}
		b.WriteString(v.String())
	}
	return b.String()
}

// Parse reads a trace.
func Parse(text string) (trace []Event, err error) {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '\n' }) {
		if strings.TrimSpace(part) == "" {
			continue
		}
		v, err := parse(strings.Fields(part))
		if err != nil {
			return nil, fmt.Errorf("event %q: %w", strings.TrimSpace(part), err)
		}
		trace = append(trace, v)
	}
	return trace, nil
}

func parse(words []string) (Event, error) {
	if len(words) < 2 {
		return Event{}, errors.New("want TASK OPERATION ...")
	}
	v, ok := operations[words[1]]
	if !ok {
		return v, fmt.Errorf("no operation %s", words[1])
	}
	var err error
	if v.Task, err = strconv.Atoi(words[0]); err != nil {
		return v, err
	}
	for _, w := range words[2:] {
		switch {
		case v.Op == Fork || v.Op == Meet:
			v.Other, err = strconv.Atoi(w)
		case w[0] == '@':
			_, err = fmt.Sscan(w[1:], &v.Site)
		default:
			v.Addr, v.N, err = parseAddr(w, v.Op)
		}
		if err != nil {
			return v, err
		}
	}
	return v, nil
}

func parseAddr(w string, op Op) (addr, n uintptr, err error) {
	w, size, sized := strings.Cut(w, ":")
	switch op {
	case Access, Alloc:
		n = wordSize
	case Order:
		n = 1
	}
	if sized {
		if _, err = fmt.Sscan(size, &n); err != nil {
			return 0, 0, err
		}
	}
	from, ok := map[byte]uintptr{'x': base, 'l': locks, 'o': things}[w[0]]
	if !ok {
		return 0, 0, fmt.Errorf("no address %s", w)
	}
	off := 0
	if len(w) > 1 {
		if off, err = strconv.Atoi(w[1:]); err != nil {
			return 0, 0, err
		}
	}
	return uintptr(int(from) + off), n, nil
}
