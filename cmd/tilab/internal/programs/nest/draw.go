package nest

import "fmt"

// maxLevel is the greatest depth of blocks.
const maxLevel = 5

// block draws statements.
func (c *oneCase) block(s *scope, n int) block {
	var b block
	var owed []stmt // the other ends of messages, which must follow
	for range n {
		list, later := c.statement(s)
		b = append(b, list...)
		owed = append(owed, later...)
		if len(owed) > 0 && c.rng.Chance(40) {
			b, owed = append(b, owed[0]), owed[1:]
		}
	}
	return append(b, owed...)
}

// inside draws a block inside s.
func (c *oneCase) inside(s *scope) block { return c.block(s, 1+c.rng.IntN(3)) }

// statement draws a statement. list holds it and the statements that must precede it, owed
// the statements that must follow later.
func (c *oneCase) statement(s *scope) (list, owed []stmt) {
	if s.level >= maxLevel {
		return []stmt{c.access(s)}, nil
	}
	if len(c.locks) > 0 && c.rng.Chance(10) {
		if st := c.section(s); st != nil {
			return []stmt{st}, nil
		}
	}
	switch r := c.rng.IntN(100); {
	case r < 21:
		return []stmt{c.access(s)}, nil
	case r < 27:
		if st := c.walk(s); st != nil {
			return []stmt{st}, nil
		}
	case r < 30:
		return []stmt{c.close(s)}, nil
	case r < 52:
		return []stmt{c.loop(s)}, nil
	case r < 60:
		return []stmt{c.condition(s)}, nil
	case r < 66:
		if st := c.name1(s); st != nil {
			return []stmt{st}, nil
		}
	case r < 70:
		if st := c.bulk(s); st != nil {
			return []stmt{st}, nil
		}
	case r < 74:
		return []stmt{c.literal(s)}, nil
	case r < 76:
		if s.defers {
			in := s.inner()
			in.loops, in.returns, in.quiet, in.fails, in.defers = nil, true, true, false, false
			in.numbers = settled(s.numbers)
			return []stmt{&deferred{c.inside(in)}}, nil
		}
	case r < 78:
		if n := len(s.closures); n > 0 {
			k := s.closures[c.rng.IntN(n)]
			return []stmt{k.call(c.within(s, k.param.min, k.param.max))}, nil
		}
	case r < 86:
		if k := c.call(s, false); k != nil {
			return c.around(s, k), nil
		}
	case r < 88:
		if st := c.rewrite(s); st != nil {
			return []stmt{st}, nil
		}
	case r < 91:
		if !s.quiet && len(*s.groups) > 0 && s.level < 2 {
			return []stmt{waitFor((*s.groups)[c.rng.IntN(len(*s.groups))])}, nil
		}
	default:
		if !s.quiet {
			return c.spawn(s)
		}
	}
	return []stmt{c.access(s)}, nil
}

// place draws a place and its type.
func (c *oneCase) place(s *scope) (place, string) {
	n := len(s.slices) + len(s.pointers)
	if n > 0 && c.rng.Chance(35) {
		if k := c.rng.IntN(n); k < len(s.slices) {
			return c.element(s, s.slices[k])
		} else {
			return c.target(s.pointers[k-len(s.slices)])
		}
	}
	if v := c.known(s, func(*shared) bool { return true }); v != nil {
		return v.place(s)
	}
	if len(s.slices) > 0 {
		return c.element(s, s.slices[c.rng.IntN(len(s.slices))])
	}
	return nil, ""
}

// target returns the place that the pointer points to, or a field of it.
func (c *oneCase) target(p *pointer) (place, string) {
	if p.elem.fields == nil || c.rng.Chance(20) {
		return &target{p, nil}, p.elem.name
	}
	f := c.field(p.elem)
	return &target{p, f}, f.typeName
}

// touch draws an access through the pointer.
func (c *oneCase) touch(p *pointer) stmt {
	t, typ := c.target(p)
	a := &accessStmt{use: use(c.rng.IntN(int(move))), p: t, typ: typ}
	if t.whole() != nil && a.use != assign {
		a.use = pass
	}
	return a
}

// known draws one of the shared variables that are visible in the scope and fit.
func (c *oneCase) known(s *scope, fits func(*shared) bool) *shared {
	var list []*shared
	for _, v := range c.shared {
		if (v.global || !s.global) && fits(v) {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[c.rng.IntN(len(list))]
}

func (c *oneCase) access(s *scope) stmt {
	p, typ := c.place(s)
	if p == nil {
		return block(nil)
	}
	a := &accessStmt{use: use(c.rng.IntN(int(uses))), p: p, typ: typ}
	if k := p.whole(); k != nil {
		switch a.use {
		case move:
			if q, _ := c.place(s); q != nil && q.whole() == k {
				a.q, a.same = q, true
				return a
			}
			a.use = assign
		case assign:
		default:
			a.use = pass
		}
		return a
	}
	if a.use == move || a.use == combine {
		q, t := c.place(s)
		if q == nil || q.whole() != nil {
			a.use = assign
			return a
		}
		a.q, a.same = q, t == typ
	}
	return a
}

func (c *oneCase) loop(s *scope) stmt {
	in := s.inner()
	in.looped = true
	v := &number{name: c.name("i")}
	l := &loop{form: form(c.rng.IntN(int(forms))), v: v, step: constant(1)}
	switch {
	case c.rng.Chance(25):
		l.step = constant(2 + c.rng.IntN(2))
	case c.rng.Chance(15):
		l.step = c.within(s, 1, 4)
	}
	if l.form == rangeSlice || l.form == rangeElems {
		if l.s = c.anySlice(s, 1); l.s == nil {
			l.form = upTo
		} else {
			v.max = l.s.n - 1
		}
	}
	switch l.form {
	case rangeSlice, rangeElems:
	default:
		most := 4 + c.rng.IntN(9)
		if t := c.known(s, func(v *shared) bool { return v.slice != nil || v.table != nil }); t != nil && c.rng.Chance(50) {
			if t.slice != nil {
				most = t.slice.n
			} else {
				most = []int{t.table.rows, t.table.cols}[c.rng.IntN(2)]
			}
		}
		if l.form != rangeInt {
			l.lo = c.within(s, 0, 2)
		}
		l.hi = c.within(s, 0, most)
		if c.rng.Chance(60) {
			l.hi = constant(most)
		}
		v.min, _ = l.lo.bounds()
		_, v.max = l.hi.bounds()
		switch l.form {
		case upThrough:
			l.hi = l.hi.plus(-1)
		}
		v.max--
		v.max = max(v.max, v.min) // the loop may have no iteration
	}
	v.changed = l.form == while
	in.numbers = append(in.numbers, v)
	in.loops = append(in.loops, l)
	l.body = c.inside(in)
	if c.rng.Chance(20) {
		at := c.rng.IntN(len(l.body) + 1)
		l.body = append(l.body[:at:at], append(block{c.leave(in)}, l.body[at:]...)...)
	}
	return l
}

// leave draws an if statement with a jump out of the loop or the function.
func (c *oneCase) leave(s *scope) stmt {
	l := s.loops[c.rng.IntN(len(s.loops))]
	j := &jump{ctl{kind: brk}}
	inner := l == s.loops[len(s.loops)-1]
	switch r := c.rng.IntN(10); {
	case r < 3 && l.form != while:
		j.kind = cont
	case r < 5 && s.returns:
		j.kind = ret
	case r < 7 && s.fails:
		j.kind = panicked
	}
	if (j.kind == brk || j.kind == cont) && (!inner || c.rng.Chance(20)) {
		if l.label == "" {
			l.label = c.name("L")
		}
		j.label = l.label
	}
	return &ifStmt{c: c.cond(s), then: block{j}}
}

func (c *oneCase) cond(s *scope) cond {
	if len(s.numbers) == 0 {
		return cond{a: constant(c.rng.IntN(3)), b: constant(1), op: "<"}
	}
	v := s.numbers[max(c.rng.IntN(len(s.numbers)), c.rng.IntN(len(s.numbers)))]
	if c.rng.Chance(25) && v.min >= 0 {
		mod := 2 + c.rng.IntN(2)
		return cond{a: of(v), b: constant(c.rng.IntN(mod)), op: "%", mod: mod}
	}
	return cond{a: of(v), b: c.within(s, v.min, v.max+1), op: []string{"<", "<=", "==", "!="}[c.rng.IntN(4)]}
}

func (c *oneCase) condition(s *scope) stmt {
	st := &ifStmt{c: c.cond(s), then: c.inside(s.inner())}
	if c.rng.Chance(40) {
		st.els = c.inside(s.inner())
	}
	if len(s.loops) > 0 && c.rng.Chance(15) {
		st.then = append(st.then, c.leave(s))
	}
	return st
}

// anySlice draws a slice of at least n elements.
func (c *oneCase) anySlice(s *scope, n int) *slice {
	var list []*slice
	for _, v := range s.slices {
		if v.n >= n {
			list = append(list, v)
		}
	}
	if v := c.known(s, func(v *shared) bool { return v.slice != nil && v.slice.n >= n }); v != nil && (len(list) == 0 || c.rng.Chance(60)) {
		return v.slice
	}
	if len(list) == 0 {
		return nil
	}
	return list[c.rng.IntN(len(list))]
}

// part draws a part of n elements of the slice.
func (c *oneCase) part(s *scope, v *slice, n int) part {
	from := c.within(s, 0, v.n-n)
	return part{v, from, from.plus(n)}
}

// name1 draws a declaration: a part of a slice, a row, a pointer, a slice of its own.
func (c *oneCase) name1(s *scope) stmt {
	switch c.rng.IntN(4) {
	case 0:
		if of := c.anySlice(s, 3); of != nil {
			n := 2 + c.rng.IntN(of.n-2)
			p := c.part(s, of, n)
			v := &slice{name: c.name("v"), elem: of.elem, n: n, task: of.task}
			s.slices = append(s.slices, v)
			return view(v, p)
		}
	case 1:
		if t := c.known(s, func(v *shared) bool { return v.table != nil }); t != nil {
			v := &slice{name: c.name("row"), elem: t.table.elem, n: t.table.cols}
			i := c.within(s, 0, t.table.rows-1)
			s.slices = append(s.slices, v)
			return rowOf(v, t.table, i)
		}
	case 2:
		if of := c.anySlice(s, 1); of != nil {
			p := &pointer{name: c.name("p"), elem: of.elem, task: of.task}
			at := &sliceElem{s: of, i: c.within(s, 0, of.n-1)}
			s.pointers = append(s.pointers, p)
			return point(p, at)
		}
	default:
		n := 3 + c.rng.IntN(6)
		v := &slice{name: c.name("buf"), elem: c.number(), n: n, task: true}
		s.slices = append(s.slices, v)
		return buffer(v)
	}
	return nil
}

func (c *oneCase) bulk(s *scope) stmt {
	d := c.anySlice(s, 2)
	if d == nil {
		return nil
	}
	dst := c.part(s, d, 1+c.rng.IntN(d.n-1))
	if c.rng.Chance(60) {
		if v := c.anySlice(s, 2); v != nil && v.elem == d.elem {
			return copying(dst, c.part(s, v, 1+c.rng.IntN(v.n-1)))
		}
	}
	return clearing(dst)
}

// close draws a closure, or a call of one.
func (c *oneCase) close(s *scope) stmt {
	if n := len(s.closures); n > 0 && c.rng.Chance(60) {
		k := s.closures[c.rng.IntN(n)]
		return k.call(c.within(s, k.param.min, k.param.max))
	}
	lo := c.rng.IntN(3)
	k := &closure{name: c.name("g"), param: &number{name: c.name("k"), min: lo, max: lo + c.rng.IntN(6)}}
	in := s.inner()
	in.numbers = append(in.numbers, k.param)
	in.loops, in.returns, in.quiet, in.fails, in.defers = nil, true, true, false, true
	k.body = c.inside(in)
	s.closures = append(s.closures, k)
	return k
}

func (c *oneCase) literal(s *scope) stmt {
	in := s.inner()
	in.loops, in.returns, in.defers = nil, true, true
	l := &literal{}
	if c.rng.Chance(60) {
		l.recovers, in.fails, in.quiet = true, true, true
	}
	l.body = c.inside(in)
	if in.fails && c.rng.Chance(25) {
		l.body = append(l.body, &jump{ctl{kind: panicked}})
	}
	return l
}

func (c *oneCase) section(s *scope) stmt {
	if len(c.locks) == 0 || s.quiet || s.global {
		return nil
	}
	m := c.locks[c.rng.IntN(len(c.locks))]
	shared := m.rw && c.rng.Chance(40)
	in := s.inner()
	in.quiet, in.returns, in.loops, in.defers = true, false, nil, false
	if c.rng.Chance(35) {
		in.returns, in.fails = true, true
		return &literal{recovers: true, m: m, shared: shared, body: c.inside(in)}
	}
	in.fails = false
	return &section{m, shared, c.inside(in)}
}

// rewrite draws an assignment to a slice variable or row that does not change its value.
func (c *oneCase) rewrite(s *scope) stmt {
	v := c.known(s, func(v *shared) bool {
		return v.table != nil || v.grid != nil || v.slice != nil && v.slice.header != nil
	})
	if v == nil {
		return nil
	}
	if v.grid != nil {
		return []func(*grid) stmt{setWidth, setData, setWhole}[c.rng.IntN(3)](v.grid)
	}
	if v.table != nil {
		return rewriteRow(v.table, c.within(s, 0, v.table.rows-1))
	}
	return rewriteSlice(v.slice)
}

// maxFunctions bounds the functions of a case.
const maxFunctions = 6

// call draws a call of an existing or a new function. If task is set, the function is the
// body of a task.
func (c *oneCase) call(s *scope, task bool) *call {
	var fn *function
	for _, f := range c.fns {
		if (f.group != nil) == task && !(f.events && s.quiet) && !(f.fails && !s.fails) && !(f.starts != nil && s.global) && c.rng.Chance(40) {
			fn = f
		}
	}
	if fn == nil {
		if fn = c.function(s, task); fn == nil {
			return nil
		}
	}
	k := &call{fn: fn}
	if fn.starts != nil {
		k.starts = c.group(s)
	}
	for _, p := range fn.numbers {
		k.args = append(k.args, c.within(s, p.min, p.max))
	}
	for _, p := range fn.slices {
		var of *slice
		for range 10 {
			if v := c.anySlice(s, p.n); v != nil && v.elem == p.elem && !(v.task && (task || fn.events)) {
				of = v
			}
		}
		if of == nil {
			return nil
		}
		k.parts = append(k.parts, c.part(s, of, p.n))
	}
	for _, p := range fn.pointers {
		at := c.addressed(s, p.elem, task || fn.events)
		if at == nil {
			return nil
		}
		k.at = append(k.at, at)
	}
	return k
}

// addressed draws a place of the kind; if shared is set, a place that other tasks may
// access.
func (c *oneCase) addressed(s *scope, k *kind, shared bool) place {
	var list []*pointer
	for _, p := range s.pointers {
		if p.elem == k && !(p.task && shared) {
			list = append(list, p)
		}
	}
	if len(list) > 0 && c.rng.Chance(70) {
		return &target{list[c.rng.IntN(len(list))], nil}
	}
	for range 10 {
		if v := c.anySlice(s, 1); v != nil && v.elem == k && !(v.task && shared) {
			return &sliceElem{s: v, i: c.within(s, 0, v.n-1)}
		}
	}
	if len(list) > 0 {
		return &target{list[0], nil}
	}
	return nil
}

// around draws accesses of a call's arguments, before and behind the call.
func (c *oneCase) around(s *scope, k *call) (list []stmt) {
	var behind []stmt
	for i, at := range k.at {
		t, named := at.(*target)
		if !named {
			if c.rng.Chance(30) {
				continue
			}
			e := at.(*sliceElem)
			t = &target{&pointer{name: c.name("p"), elem: e.s.elem, task: e.s.task}, nil}
			s.pointers = append(s.pointers, t.p)
			list = append(list, point(t.p, e))
			k.at[i] = t
		}
		for range 1 + c.rng.IntN(2) {
			list = append(list, c.touch(t.p))
		}
		for range 1 + c.rng.IntN(2) {
			behind = append(behind, c.touch(t.p))
		}
	}
	return append(append(list, k), behind...)
}

// function draws a function whose parameters match arguments of the scope.
func (c *oneCase) function(s *scope, task bool) *function {
	if len(c.fns) >= maxFunctions || s.global {
		return nil
	}
	fn := &function{name: c.varName("f")}
	in := &scope{level: 2, looped: true, global: true, quiet: s.quiet, fails: s.fails, returns: true, defers: true}
	for range c.rng.IntN(3) {
		lo := c.rng.IntN(3)
		n := &number{name: c.name("k"), min: lo, max: lo + 1 + c.rng.IntN(6)}
		fn.numbers, in.numbers = append(fn.numbers, n), append(in.numbers, n)
	}
	for range 1 + c.rng.IntN(2) {
		if of := c.anySlice(s, 3); of != nil && !(of.task && (task || !s.quiet)) {
			v := &slice{name: c.name("a"), elem: of.elem, n: 2 + c.rng.IntN(of.n-2)}
			fn.slices, in.slices = append(fn.slices, v), append(in.slices, v)
		}
	}
	for range c.rng.IntN(3) {
		if of := c.anySlice(s, 1); of != nil && !(of.task && (task || !s.quiet)) {
			p := &pointer{name: c.name("q"), elem: of.elem}
			fn.pointers, in.pointers = append(fn.pointers, p), append(in.pointers, p)
		}
	}
	var groups []*group
	in.groups = &groups
	if task {
		fn.group = &group{c.name("wg"), true}
	}
	switch {
	case !task && len(fn.pointers) > 0 && c.rng.Chance(60):
		c.short(fn, in)
	case !s.quiet && len(fn.slices) > 0 && c.rng.Chance(30):
		c.divide(fn, in)
	case !s.quiet && !task && c.rng.Chance(50):
		fn.starts = &group{c.name("wg"), true}
		groups = append(groups, fn.starts)
		list, _ := c.spawn(in)
		fn.body = append(c.inside(in), list...)
	default:
		fn.body = c.inside(in)
	}
	if fn.starts != nil {
		groups = groups[1:]
	}
	if len(groups) > 0 {
		fn.body = block{&joined{groups, in.returns || in.fails, fn.body}}
	}
	for _, p := range fn.pointers {
		if c.rng.Chance(40) {
			fn.body = append(block{c.touch(p)}, fn.body...)
		}
	}
	fn.events, fn.fails = !s.quiet, s.fails
	c.fns = append(c.fns, fn)
	return fn
}

// short gives the function a short body: accesses of its parameters, and perhaps a call, a
// loop, or a task.
func (c *oneCase) short(fn *function, in *scope) {
	in.level = maxLevel - 1
	for range 1 + c.rng.IntN(3) {
		var st []stmt
		switch r := c.rng.IntN(10); {
		case r < 2:
			if k := c.call(in, false); k != nil {
				st = c.around(in, k)
			}
		case r < 3:
			st = []stmt{c.condition(in)}
		case r < 4:
			st = []stmt{c.loop(in)}
		case r < 6 && !in.quiet:
			st, _ = c.spawn(in)
			if t := st[0].(*spawn); t.call == nil && c.rng.Chance(70) { // the task may race with the function and its caller
				t.body = append(block{c.touch(fn.pointers[0])}, t.body...)
				st = append(st, c.touch(fn.pointers[0]))
			}
		}
		if st == nil {
			st = []stmt{c.touch(fn.pointers[c.rng.IntN(len(fn.pointers))])}
		}
		fn.body = append(fn.body, st...)
	}
}

// divide makes the function call itself twice: in a task for the first elements, and
// directly or in another task for the rest.
func (c *oneCase) divide(fn *function, in *scope) {
	in.fails, in.returns, in.quiet, in.defers = false, false, true, false // the groups are waited for
	n := fn.slices[0].n
	from := &number{name: c.name("k"), max: n}
	to := &number{name: c.name("k"), max: n}
	fn.numbers = append(fn.numbers, from, to)
	i := &number{name: c.name("i"), max: n - 1}
	leaf := in.inner()
	leaf.numbers = append(leaf.numbers, i)
	leaf.level = maxLevel - 1
	size := 2 + c.rng.IntN(3)
	l := &loop{form: upTo, v: i, lo: of(from), hi: of(to), step: constant(1)}
	leaf.loops = []*loop{l}
	l.body = c.inside(leaf)
	g := &group{name: c.name("wg")}
	again := func(lo, hi expr) *call {
		k := &call{fn: fn}
		for _, p := range fn.numbers {
			switch p {
			case from:
				k.args = append(k.args, lo)
			case to:
				k.args = append(k.args, hi)
			default:
				k.args = append(k.args, of(p))
			}
		}
		for _, p := range fn.slices {
			k.parts = append(k.parts, part{p, constant(0), constant(p.n)})
		}
		for _, p := range fn.pointers {
			k.at = append(k.at, &target{p, nil})
		}
		return k
	}
	rest := again(of(from).plus(size), of(to))
	task := &spawn{g: g, body: block{again(of(from), of(from).plus(size))}}
	split := block{task, rest}
	if fn.group != nil {
		task = &spawn{g: g, call: again(of(from), of(from).plus(size))}
		split = block{task, &spawn{g: g, call: rest}}
	}
	e := expr{terms: []term{{to, 1}, {from, -1}}}
	fn.body = block{&ifStmt{c: cond{a: e, b: constant(size), op: "<="}, then: block{l},
		els: block{&joined{groups: []*group{g}, body: split}}}}
}

// maxGroups bounds the WaitGroups of a function.
const maxGroups = 2

// group draws a group of the current function.
func (c *oneCase) group(s *scope) *group {
	if len(*s.groups) == 0 || len(*s.groups) < maxGroups && c.rng.Chance(30) {
		*s.groups = append(*s.groups, &group{name: c.name("wg")})
	}
	return (*s.groups)[c.rng.IntN(len(*s.groups))]
}

// spawn draws a go statement, with messages to the task in places.
func (c *oneCase) spawn(s *scope) (list, owed []stmt) {
	sp := &spawn{form: c.rng.IntN(spawnForms), g: c.group(s)}
	if c.rng.Chance(20) {
		if k := c.call(s, true); k != nil {
			sp.call = k
			return []stmt{sp}, nil
		}
	}
	in := &scope{level: s.level + 1, looped: s.looped, global: s.global, returns: sp.form != 1, defers: sp.form != 1}
	in.numbers = settled(s.numbers)
	for _, v := range s.slices {
		if !v.task {
			in.slices = append(in.slices, v)
		}
	}
	for _, p := range s.pointers {
		if !p.task {
			in.pointers = append(in.pointers, p)
		}
	}
	if len(s.numbers) > 0 && c.rng.Chance(30) {
		v := s.numbers[len(s.numbers)-1]
		sp.arg = of(v)
		sp.param = &number{name: c.name("k"), min: v.min, max: v.max}
		in.numbers = append(in.numbers, sp.param)
		in.returns, in.defers = true, true
	}
	var groups []*group
	in.groups = &groups
	sp.body = c.inside(in)
	if !s.looped && !s.global && c.rng.Chance(45) {
		owed = c.messages(sp)
	}
	if len(groups) > 0 {
		sp.body = block{&joined{groups, in.returns, sp.body}}
	}
	return []stmt{sp}, owed
}

// settled returns the numbers that do not change. Code that runs later may capture them.
func settled(numbers []*number) (list []*number) {
	for _, n := range numbers {
		if !n.changed {
			list = append(list, n)
		}
	}
	return list
}

// messages puts one end of a message into the task, and returns the other.
func (c *oneCase) messages(sp *spawn) (owed []stmt) {
	put := func(st stmt) {
		at := c.rng.IntN(len(sp.body) + 1)
		sp.body = append(sp.body[:at:at], append(block{st}, sp.body[at:]...)...)
	}
	open := func() *channel {
		ch := &channel{c.name("c"), c.rng.IntN(3)}
		c.locals = append(c.locals, fmt.Sprintf("%s := make(chan int, %d)", ch.name, ch.cap))
		return ch
	}
	receive := []func(*channel) stmt{receive, selectOne}[c.rng.IntN(2)]
	switch c.rng.IntN(5) {
	case 0:
		ch := open()
		put(send(ch))
		owed = append(owed, receive(ch))
	case 1:
		ch := open()
		put(receive(ch))
		owed = append(owed, send(ch))
	case 2:
		ch := open()
		put(closing(ch))
		owed = append(owed, receive(ch))
	case 3: // several, in loops
		ch := open()
		n := constant(2 + c.rng.IntN(3))
		repeated := func(st stmt) stmt {
			return &loop{form: rangeInt, v: &number{name: c.name("i")}, hi: n, step: constant(1), body: block{st}}
		}
		put(repeated(send(ch)))
		owed = append(owed, repeated(receive(ch)))
	default:
		f := &onceFlag{c.name("flag")}
		c.locals = append(c.locals, fmt.Sprintf("var %s atomic.Bool", f.name))
		if c.rng.Chance(50) {
			put(setting(f))
			owed = append(owed, awaiting(f))
		} else {
			put(awaiting(f))
			owed = append(owed, setting(f))
		}
	}
	return owed
}
