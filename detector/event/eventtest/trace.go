// Package eventtest writes the traces of tests as text.
//
// An event is the number of its task, a word for its operation, and what the operation is about.
// Events end with a semicolon or with the line; // begins a comment.
//
//	0 begin 7; 0 fork 1           // task 0 opens scope 7 and makes task 1
//	1 lock l; 1 write x+8:4 @3    // four bytes, at place 3; without :4 an access has eight
//	1 read x @4 =5 from 3         // reads 5; place 3 found the pointer
//	1 branch 1 taken (r4 5 ==)    // decision 1, with a condition in postfix form; r4 is the read at place 4
//	1 may-write x of 1 under l    // an access of the side that decision 1 did not take
//
// Names such as l and x are those of the caller.
package eventtest

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"taskinstr/detector/event"
)

// Names are names of addresses, scopes, locks and promises.
type Names map[string]uint64

var words = map[string]event.Event{
	"fork": {Op: event.Fork}, "orphan": {Op: event.Fork, Shared: true}, "end": {Op: event.End},
	"begin": {Op: event.FinishBegin}, "finish": {Op: event.FinishEnd}, "set": {Op: event.Set}, "get": {Op: event.Get},
	"lock": {Op: event.Lock}, "unlock": {Op: event.Unlock},
	"rlock": {Op: event.Lock, Shared: true}, "runlock": {Op: event.Unlock, Shared: true},
	"read": {Op: event.Access}, "write": {Op: event.Access, Kind: event.Write},
	"may-read": {Op: event.Possible}, "may-write": {Op: event.Possible, Kind: event.Write},
	"alloc": {Op: event.Alloc}, "free": {Op: event.Free}, "branch": {Op: event.Branch},
	"select": {Op: event.Outside, Use: event.UseSelect},
}

// Trace returns the events of a text.
func Trace(t testing.TB, names Names, text string) (trace []event.Event) {
	t.Helper()
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		for part := range strings.SplitSeq(line, ";") {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			p := parser{names: names}
			e := p.event(part)
			if p.err != nil {
				t.Fatalf("event %q: %v", part, p.err)
			}
			trace = append(trace, e)
		}
	}
	return trace
}

type parser struct {
	names Names
	err   error
}

func (p *parser) event(text string) event.Event {
	text, formula, _ := strings.Cut(text, "(")
	f := strings.Fields(text)
	if len(f) < 2 {
		p.err = fmt.Errorf("want TASK OPERATION ...")
		return event.Event{}
	}
	e, ok := words[f[1]]
	if !ok {
		p.err = fmt.Errorf("no operation %s", f[1])
	}
	e.Task = uint32(p.number(f[0]))
	e.Expr = p.expr(strings.TrimSuffix(formula, ")"))
	for args := f[2:]; len(args) > 0; args = args[1:] {
		switch a := args[0]; {
		case a[0] == '@':
			e.Site = uint32(p.number(a[1:]))
		case a[0] == '=':
			e.Valued, e.Value = true, p.number(a[1:])
		case a == "taken":
			e.Taken = true
		case len(args) > 1 && (a == "from" || a == "of" || a == "under"):
			args = args[1:]
			switch v := p.number(args[0]); a {
			case "from":
				e.From = uint32(v)
			case "of":
				e.Obj = v
			case "under":
				e.Locks = append(e.Locks, v)
			}
		case e.Op == event.Fork:
			e.Other = uint32(p.number(a))
		case e.Op == event.Access || e.Op == event.Possible || e.Op == event.Alloc || e.Op == event.Free:
			addr, size, _ := strings.Cut(a, ":")
			e.Addr, e.Size = p.number(addr), p.number(cmp.Or(size, "8"))
		default:
			e.Obj = p.number(a)
		}
	}
	return e
}

// number returns the value of a name, a number, or a name and an offset.
func (p *parser) number(text string) uint64 {
	name, off := text, ""
	if i := strings.IndexAny(text, "+-"); i > 0 {
		name, off = text[:i], text[i:]
	}
	v, ok := p.names[name]
	if !ok {
		if n, err := strconv.ParseInt(name, 0, 64); err == nil {
			v = uint64(n)
		} else {
			p.err = cmp.Or(p.err, err)
		}
	}
	if off == "" {
		return v
	}
	d, err := strconv.ParseInt(off, 0, 64)
	p.err = cmp.Or(p.err, err)
	return v + uint64(d)
}

// expr returns an expression in postfix form, nil for "".
func (p *parser) expr(text string) (x event.Expr) {
	for _, w := range strings.Fields(text) {
		op := event.Add
		for op < event.GeU && op.String() != w {
			op++
		}
		switch {
		case op.String() == w:
			x = append(x, event.Token{Op: op})
		case w[0] == 'r':
			x = append(x, event.Token{Op: event.ReadAt, Arg: p.number(w[1:])})
		default:
			x = append(x, event.Token{Op: event.Const, Arg: p.number(w)})
		}
	}
	return x
}
