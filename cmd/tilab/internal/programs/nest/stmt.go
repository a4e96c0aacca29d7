package nest

import (
	"fmt"
	"slices"
	"strings"
)

// A ctl is the way in which a statement ends.
type ctl struct {
	kind  ctlKind
	label string // the loop that break and continue refer to
}

type ctlKind int

const (
	next ctlKind = iota
	brk
	cont
	ret
	panicked
)

// A stmt can be written as Go text and interpreted.
type stmt interface {
	emit(w *strings.Builder)
	exec(r *runner, f *frame) ctl
}

// An act is a statement without blocks.
type act struct {
	text string // of one line or several
	run  func(r *runner, f *frame) ctl
}

func (s *act) emit(w *strings.Builder)      { w.WriteString(s.text) }
func (s *act) exec(r *runner, f *frame) ctl { return s.run(r, f) }

// event returns an act that neither fails nor jumps.
func event(text string, do func(r *runner, f *frame)) *act {
	return &act{text, func(r *runner, f *frame) ctl {
		do(r, f)
		return ctl{}
	}}
}

type block []stmt

func (b block) emit(w *strings.Builder) {
	for _, s := range b {
		s.emit(w)
	}
}

func (b block) exec(r *runner, f *frame) ctl {
	for _, s := range b {
		if x := s.exec(r, f); x.kind != next {
			return x
		}
	}
	return ctl{}
}

// A use is the way in which a statement uses places.
type use int

const (
	load    use = iota // acc += int(p)
	pass               // sink(p)
	assign             // p = 1
	change             // p += 2
	step1              // p++
	move               // p = q
	combine            // p += q
	uses
)

// An accessStmt accesses one place or two.
type accessStmt struct {
	use  use
	p, q place
	typ  string // of p
	same bool   // q has the type of p
}

func (s *accessStmt) emit(w *strings.Builder) {
	p := s.p.text()
	q := ""
	if s.q != nil {
		if q = s.q.text(); !s.same {
			q = s.typ + "(" + q + ")"
		}
	}
	if g, ok := s.p.(*gridElem); ok && s.use != load && s.use != pass {
		fmt.Fprintln(w, g.change(s.use, q))
		return
	}
	switch s.use {
	case load:
		fmt.Fprintf(w, "acc += int(%s)\n", p)
	case pass:
		fmt.Fprintf(w, "sink(%s)\n", p)
	case assign:
		if k := s.p.whole(); k != nil {
			fmt.Fprintf(w, "%s = %s{b: 1}\n", p, k.name)
		} else {
			fmt.Fprintf(w, "%s = 1\n", p)
		}
	case change:
		fmt.Fprintf(w, "%s += 2\n", p)
	case step1:
		fmt.Fprintf(w, "%s++\n", p)
	case move:
		fmt.Fprintf(w, "%s = %s\n", p, q)
	case combine:
		fmt.Fprintf(w, "%s += %s\n", p, q)
	}
}

func (s *accessStmt) exec(r *runner, f *frame) ctl {
	if s.q != nil {
		obj, lo, hi, ok := s.q.resolve(r, f)
		if !ok {
			r.discard("which of two subscripts fails first is not known")
		}
		r.touch(obj, lo, hi, false)
	}
	obj, lo, hi, ok := s.p.resolve(r, f)
	if !ok {
		if s.q != nil {
			r.discard("which of two subscripts fails first is not known")
		}
		return ctl{kind: panicked}
	}
	switch s.use {
	case load, pass:
		r.touch(obj, lo, hi, false)
	case assign, move:
		r.touch(obj, lo, hi, true)
	default:
		r.touch(obj, lo, hi, false)
		r.touch(obj, lo, hi, true)
	}
	return ctl{}
}

// A form of loop.
type form int

const (
	upTo       form = iota // for i := lo; i < hi; i += step
	upThrough              // for i := lo; i <= hi; i += step
	down                   // for i := hi - 1; i >= lo; i -= step
	open                   // for i := lo; ; i += step { if i >= hi { break }
	while                  // i := lo; for i < hi { ...; i += step }
	rangeInt               // for i := range hi
	rangeSlice             // for i := range s
	rangeElems             // for i, v := range s
	forms
)

type loop struct {
	form   form
	label  string
	v      *number
	lo, hi expr
	step   expr // at least 1
	s      *slice
	body   block
}

func (l *loop) emit(w *strings.Builder) {
	i := l.v.name
	by := fmt.Sprintf("%s += %s", i, l.step)
	if l.step.String() == "1" {
		by = i + "++"
	}
	label := ""
	if l.label != "" {
		label = l.label + ":\n"
	}
	switch l.form {
	case upTo:
		fmt.Fprintf(w, "%sfor %s := %s; %s < %s; %s {\n", label, i, l.lo, i, l.hi, by)
	case upThrough:
		fmt.Fprintf(w, "%sfor %s := %s; %s <= %s; %s {\n", label, i, l.lo, i, l.hi, by)
	case down:
		fmt.Fprintf(w, "%sfor %s := %s; %s >= %s; %s -= %s {\n", label, i, l.hi.plus(-1), i, l.lo, i, l.step)
	case open:
		fmt.Fprintf(w, "%sfor %s := %s; ; %s {\nif %s >= %s {\nbreak\n}\n", label, i, l.lo, by, i, l.hi)
	case while:
		fmt.Fprintf(w, "%s := %s\n%sfor %s < %s {\n", i, l.lo, label, i, l.hi)
	case rangeInt:
		fmt.Fprintf(w, "%sfor %s := range %s {\n", label, i, l.hi)
	case rangeSlice:
		fmt.Fprintf(w, "%sfor %s := range %s {\n", label, i, l.s.name)
	case rangeElems:
		fmt.Fprintf(w, "%sfor %s, v%s := range %s {\nsink(v%s)\n", label, i, i, l.s.name, i)
	}
	if l.form >= rangeInt {
		fmt.Fprintf(w, "_ = %s\n", i)
	}
	l.body.emit(w)
	if l.form == while {
		fmt.Fprintln(w, by)
	}
	w.WriteString("}\n")
}

func (l *loop) exec(r *runner, f *frame) ctl {
	lo, hi, step := 0, 0, l.step.eval(f)
	var v elems
	switch l.form {
	case rangeSlice, rangeElems:
		v = r.slice(f, l.s)
		hi, step = v.n, 1
	case rangeInt:
		hi, step = l.hi.eval(f), 1
	case upThrough:
		lo, hi = l.lo.eval(f), l.hi.eval(f)+1
	default:
		lo, hi = l.lo.eval(f), l.hi.eval(f)
	}
	i := lo
	in := func() bool { return i < hi }
	if l.form == down {
		i, in, step = hi-1, func() bool { return i >= lo }, -step
	}
	for ; in(); i += step {
		g := newFrame(f)
		g.numbers[l.v] = i
		if l.form == rangeElems {
			at := v.off + i*l.s.elem.size
			r.touch(v.obj, at, at+l.s.elem.size, false)
		}
		switch x := l.body.exec(r, g); {
		case x.kind == brk && (x.label == "" || x.label == l.label):
			return ctl{}
		case x.kind == cont && (x.label == "" || x.label == l.label):
		case x.kind != next:
			return x
		}
	}
	return ctl{}
}

// A cond compares two expressions, or a remainder with a constant.
type cond struct {
	a, b expr
	op   string // <, <=, ==, !=, or %: a % mod == b
	mod  int
}

func (c cond) String() string {
	if c.op == "%" {
		return fmt.Sprintf("(%s)%%%d == %s", c.a, c.mod, c.b)
	}
	return fmt.Sprintf("%s %s %s", c.a, c.op, c.b)
}

func (c cond) eval(f *frame) bool {
	a, b := c.a.eval(f), c.b.eval(f)
	switch c.op {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case "==":
		return a == b
	case "!=":
		return a != b
	}
	return a%c.mod == b
}

type ifStmt struct {
	c         cond
	then, els block
}

func (s *ifStmt) emit(w *strings.Builder) {
	fmt.Fprintf(w, "if %s {\n", s.c)
	s.then.emit(w)
	if len(s.els) > 0 {
		w.WriteString("} else {\n")
		s.els.emit(w)
	}
	w.WriteString("}\n")
}

func (s *ifStmt) exec(r *runner, f *frame) ctl {
	if s.c.eval(f) {
		return s.then.exec(r, newFrame(f))
	}
	return s.els.exec(r, newFrame(f))
}

// A jump ends an iteration, a loop, a function, or panics.
type jump struct{ ctl }

func (s *jump) emit(w *strings.Builder) {
	switch s.kind {
	case brk:
		w.WriteString(strings.TrimSpace("break "+s.label) + "\n")
	case cont:
		w.WriteString(strings.TrimSpace("continue "+s.label) + "\n")
	case ret:
		w.WriteString("return\n")
	case panicked:
		w.WriteString("panic(\"on purpose\")\n")
	}
}

func (s *jump) exec(*runner, *frame) ctl { return s.ctl }

// A literal is a function literal that is called where it stands. It may recover, or hold a
// lock until it ends.
type literal struct {
	recovers bool
	m        *mutex
	shared   bool
	body     block
}

func (s *literal) emit(w *strings.Builder) {
	w.WriteString("func() {\n")
	if s.recovers {
		w.WriteString("defer func() { recover() }()\n")
	}
	if s.m != nil {
		fmt.Fprintf(w, "%s\ndefer %s\n", s.m.call("Lock", s.shared), s.m.call("Unlock", s.shared))
	}
	body(w, s.body)
	w.WriteString("}()\n")
}

// body writes the body of a function.
func body(w *strings.Builder, b block) {
	w.WriteString("acc := 0\n_ = acc\n")
	b.emit(w)
}

func (s *literal) exec(r *runner, f *frame) ctl {
	if s.m != nil {
		r.lock(s.m, s.shared)
	}
	x := r.activate(newFrame(f), s.body)
	if s.m != nil {
		r.unlock(s.m)
	}
	if x.kind == panicked && !s.recovers {
		return x
	}
	return ctl{}
}

// A section is statements between Lock and Unlock.
type section struct {
	m      *mutex
	shared bool
	body   block
}

func (s *section) emit(w *strings.Builder) {
	fmt.Fprintln(w, s.m.call("Lock", s.shared))
	s.body.emit(w)
	fmt.Fprintln(w, s.m.call("Unlock", s.shared))
}

func (s *section) exec(r *runner, f *frame) ctl {
	r.lock(s.m, s.shared)
	if x := s.body.exec(r, f); x.kind != next {
		r.discard("a section is left early")
	}
	r.unlock(s.m)
	return ctl{}
}

// A group is a WaitGroup of the current function.
type group struct {
	name string
	// param says that the variable is a parameter: a pointer to a caller's WaitGroup.
	param bool
}

// ref returns the group's address.
func (g *group) ref() string {
	if g.param {
		return g.name
	}
	return "&" + g.name
}

// A spawn starts a task.
type spawn struct {
	form  int // see emit
	g     *group
	param *number // parameter of the task, may be nil
	arg   expr
	call  *call // a call of a function that takes the group, instead of body
	body  block
}

const spawnForms = 3

func (s *spawn) emit(w *strings.Builder) {
	if s.call != nil {
		fmt.Fprintf(w, "%s.Add(1)\ngo %s\n", s.g.name, s.call.text(s.g))
		return
	}
	switch {
	case s.param != nil:
		fmt.Fprintf(w, "%s.Add(1)\ngo func(%s int) {\ndefer %s.Done()\n_ = %s\n", s.g.name, s.param.name, s.g.name, s.param.name)
		body(w, s.body)
		fmt.Fprintf(w, "}(%s)\n", s.arg)
	case s.form == 0:
		fmt.Fprintf(w, "%s.Add(1)\ngo func() {\ndefer %s.Done()\n", s.g.name, s.g.name)
		body(w, s.body)
		w.WriteString("}()\n")
	case s.form == 1:
		fmt.Fprintf(w, "%s.Add(1)\ngo func() {\n", s.g.name)
		body(w, s.body)
		fmt.Fprintf(w, "%s.Done()\n}()\n", s.g.name)
	default:
		fmt.Fprintf(w, "%s.Go(func() {\n", s.g.name)
		body(w, s.body)
		w.WriteString("})\n")
	}
}

func (s *spawn) exec(r *runner, f *frame) ctl {
	in := newFrame(f)
	if s.param != nil {
		in.numbers[s.param] = s.arg.eval(f)
	}
	what := s.body
	if s.call != nil {
		in = s.call.frame(r, f)
		what = s.call.fn.body
	}
	r.fork(f.group(s.g), func() {
		if x := r.activate(in, what); x.kind != next && x.kind != ret {
			r.discard("a task panics")
		} else if x.kind == ret && s.call == nil && s.param == nil && s.form == 1 {
			r.discard("Done is not reached")
		}
	})
	return ctl{}
}

// waitFor returns the statement that waits for the group.
func waitFor(g *group) stmt {
	return event(g.name+".Wait()\n", func(r *runner, f *frame) { r.wait(f.group(g)) })
}

// A joined is a body with groups for which it waits at its end, in a deferred call if it
// may end early.
type joined struct {
	groups []*group
	defers bool
	body   block
}

func (s *joined) emit(w *strings.Builder) {
	for _, g := range s.groups {
		fmt.Fprintf(w, "var %s sync.WaitGroup\n", g.name)
		if s.defers {
			fmt.Fprintf(w, "defer %s.Wait()\n", g.name)
		}
	}
	s.body.emit(w)
	if !s.defers {
		for _, g := range slices.Backward(s.groups) {
			fmt.Fprintf(w, "%s.Wait()\n", g.name)
		}
	}
}

func (s *joined) exec(r *runner, f *frame) ctl {
	for _, g := range s.groups {
		f.groups[g] = &groupState{}
		if s.defers {
			f.later(func() { r.wait(f.groups[g]) })
		}
	}
	x := s.body.exec(r, f)
	if x.kind != next || s.defers {
		return x
	}
	for _, g := range slices.Backward(s.groups) {
		r.wait(f.groups[g])
	}
	return x
}

// activate runs the body of a function, whose variables are in f, and then its deferred
// calls.
func (r *runner) activate(f *frame, b block) ctl {
	f.defers = new([]func())
	x := b.exec(r, f)
	for _, do := range slices.Backward(*f.defers) {
		do()
	}
	return x
}

// A deferred block runs when its function ends.
type deferred struct{ body block }

func (s *deferred) emit(w *strings.Builder) {
	w.WriteString("defer func() {\n")
	body(w, s.body)
	w.WriteString("}()\n")
}

func (s *deferred) exec(r *runner, f *frame) ctl {
	f.later(func() {
		if x := r.activate(newFrame(f), s.body); x.kind == panicked {
			r.discard("a deferred function panics")
		}
	})
	return ctl{}
}

// A closure is a function literal with a name, and a number as parameter.
type closure struct {
	name  string
	param *number
	body  block
}

func (s *closure) emit(w *strings.Builder) {
	fmt.Fprintf(w, "%s := func(%s int) {\n", s.name, s.param.name)
	body(w, s.body)
	fmt.Fprintf(w, "}\n_ = %s\n", s.name)
}

func (s *closure) exec(_ *runner, f *frame) ctl {
	f.closures[s] = f
	return ctl{}
}

// call returns a call of the closure.
func (s *closure) call(arg expr) stmt {
	return &act{fmt.Sprintf("%s(%s)\n", s.name, arg), func(r *runner, f *frame) ctl {
		in := newFrame(f.closure(s))
		in.numbers[s.param] = arg.eval(f)
		if x := r.activate(in, s.body); x.kind == panicked {
			return x
		}
		return ctl{}
	}}
}

// The operations on channels and flags.

func send(c *channel) stmt {
	return event(c.name+" <- 1\n", func(r *runner, _ *frame) { r.send(c) })
}

func receive(c *channel) stmt {
	return event("<-"+c.name+"\n", func(r *runner, _ *frame) { r.receive(c) })
}

func selectOne(c *channel) stmt {
	return event("select {\ncase <-"+c.name+":\n}\n", func(r *runner, _ *frame) { r.receive(c) })
}

func closing(c *channel) stmt {
	return event("close("+c.name+")\n", func(r *runner, _ *frame) { r.close(c) })
}

func setting(f *onceFlag) stmt {
	return event(f.name+".Store(true)\n", func(r *runner, _ *frame) { r.set(f) })
}

func awaiting(f *onceFlag) stmt {
	return event("await(&"+f.name+")\n", func(r *runner, _ *frame) { r.await(f) })
}

// A function of the program, with parameters for numbers, views of slices, and
// pointers.
type function struct {
	name     string
	numbers  []*number
	slices   []*slice
	pointers []*pointer
	group    *group // if not nil, the function is a task of this group and ends with Done
	starts   *group // if not nil, the function starts tasks of this group, which is its caller's
	events   bool   // starts tasks
	fails    bool   // may panic
	body     block
}

func (fn *function) emit(w *strings.Builder) {
	var ps []string
	for _, n := range fn.numbers {
		ps = append(ps, n.name+" int")
	}
	for _, s := range fn.slices {
		ps = append(ps, s.name+" []"+s.elem.name)
	}
	for _, p := range fn.pointers {
		ps = append(ps, p.name+" *"+p.elem.name)
	}
	for _, g := range []*group{fn.group, fn.starts} {
		if g != nil {
			ps = append(ps, g.name+" *sync.WaitGroup")
		}
	}
	fmt.Fprintf(w, "func %s(%s) {\n", fn.name, strings.Join(ps, ", "))
	if fn.group != nil {
		fmt.Fprintf(w, "defer %s.Done()\n", fn.group.name)
	}
	body(w, fn.body)
	w.WriteString("}\n\n")
}

// A call calls a function with numbers, parts of slices, and addresses.
type call struct {
	fn    *function
	args  []expr
	parts []part
	at    []place // targets of the pointers
	// starts is the argument for function.starts.
	starts *group
}

func (s *call) text(g *group) string {
	var as []string
	for _, a := range s.args {
		as = append(as, a.String())
	}
	for _, p := range s.parts {
		as = append(as, p.String())
	}
	for _, p := range s.at {
		if t, star := strings.CutPrefix(p.text(), "*"); star {
			as = append(as, t)
		} else {
			as = append(as, "&"+t)
		}
	}
	for _, g := range []*group{g, s.starts} {
		if g != nil {
			as = append(as, g.ref())
		}
	}
	return s.fn.name + "(" + strings.Join(as, ", ") + ")"
}

func (s *call) emit(w *strings.Builder) { fmt.Fprintln(w, s.text(nil)) }

// frame evaluates the arguments.
func (s *call) frame(r *runner, f *frame) *frame {
	in := newFrame(r.root)
	for i, a := range s.args {
		in.numbers[s.fn.numbers[i]] = a.eval(f)
	}
	for i, p := range s.parts {
		in.slices[s.fn.slices[i]] = p.cut(r, f)
	}
	for i, p := range s.at {
		obj, lo, _, ok := p.resolve(r, f)
		if !ok {
			r.discard("the address of an element that is not there")
		}
		in.pointers[s.fn.pointers[i]] = elems{obj, lo, 1}
	}
	if s.starts != nil {
		in.groups[s.fn.starts] = f.group(s.starts)
	}
	return in
}

func (s *call) exec(r *runner, f *frame) ctl {
	if x := r.activate(s.frame(r, f), s.fn.body); x.kind == panicked {
		return x
	}
	return ctl{}
}

// A part is elements of a slice.
type part struct {
	of       *slice
	from, to expr
}

func (p part) String() string { return fmt.Sprintf("%s[%s:%s]", p.of.name, p.from, p.to) }

// cut returns the value of the part.
func (p part) cut(r *runner, f *frame) elems {
	v := r.slice(f, p.of)
	lo, hi := p.from.eval(f), p.to.eval(f)
	if lo < 0 || hi < lo || hi > v.n {
		r.discard("a part that is not there")
	}
	return elems{v.obj, v.off + lo*p.of.elem.size, hi - lo}
}

// clearing clears the elements of dst.
func clearing(dst part) stmt {
	return event(fmt.Sprintf("clear(%s)\n", dst), func(r *runner, f *frame) {
		d := dst.cut(r, f)
		r.touch(d.obj, d.off, d.off+d.n*dst.of.elem.size, true)
	})
}

// copying copies elements, of which there are as many as both parts have.
func copying(dst, src part) stmt {
	return event(fmt.Sprintf("copy(%s, %s)\n", dst, src), func(r *runner, f *frame) {
		d, v := dst.cut(r, f), src.cut(r, f)
		n := min(d.n, v.n)
		r.touch(v.obj, v.off, v.off+n*src.of.elem.size, false)
		r.touch(d.obj, d.off, d.off+n*dst.of.elem.size, true)
	})
}

// declare returns the text that declares a variable with a value.
func declare(name, value string) string { return fmt.Sprintf("%s := %s\n_ = %s\n", name, value, name) }

// view names a part of a slice.
func view(v *slice, p part) stmt {
	return event(declare(v.name, p.String()), func(r *runner, f *frame) { f.slices[v] = p.cut(r, f) })
}

// rowOf names a row of a table.
func rowOf(v *slice, t *table, i expr) stmt {
	return &act{declare(v.name, fmt.Sprintf("%s[%s]", t.name, i)), func(r *runner, f *frame) ctl {
		row, ok := r.row(f, t, i)
		if !ok {
			return failed()
		}
		f.slices[v] = row
		return ctl{}
	}}
}

// point takes the address of a place.
func point(p *pointer, at place) stmt {
	return &act{declare(p.name, "&"+at.text()), func(r *runner, f *frame) ctl {
		obj, lo, _, ok := at.resolve(r, f)
		if !ok {
			return failed()
		}
		f.pointers[p] = elems{obj, lo, 1}
		return ctl{}
	}}
}

// buffer makes a slice that no other task accesses.
func buffer(v *slice) stmt {
	return event(declare(v.name, fmt.Sprintf("make([]%s, %d)", v.elem.name, v.n)), func(_ *runner, f *frame) {
		f.slices[v] = elems{&object{size: v.n * v.elem.size}, 0, v.n}
	})
}

// rewriteSlice assigns a slice variable its own value.
func rewriteSlice(s *slice) stmt {
	return event(fmt.Sprintf("%s = %s[:%d]\n", s.name, s.name, s.header.elems), func(r *runner, f *frame) {
		r.slice(f, s)
		r.touch(s.header, 0, headerSize, true)
	})
}

// rewriteRow assigns a row of a table its own value.
func rewriteRow(t *table, i expr) stmt {
	row := fmt.Sprintf("%s[%s]", t.name, i)
	return &act{fmt.Sprintf("%s = %s[:%d]\n", row, row, t.cols), func(r *runner, f *frame) ctl {
		if _, ok := r.row(f, t, i); !ok {
			return failed()
		}
		n := i.eval(f)
		r.touch(t.spine, n*headerSize, (n+1)*headerSize, true)
		return ctl{}
	}}
}
