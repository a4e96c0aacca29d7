package nest

import (
	"fmt"
	"strings"
)

func failed() ctl { return ctl{kind: panicked} }

// walk draws a loop whose ranges only the run tells: slices that get shorter, windows,
// scanners, two pointers, and elements in no order. It returns nil if there is no slice for it.
func (c *oneCase) walk(s *scope) stmt {
	forms := []func(*scope) stmt{c.shrinking, c.shrinking, c.windows, c.scanner, c.twoPointers, c.scattered}
	return forms[c.rng.IntN(len(forms))](s)
}

// A touchOp accesses one element, or a field of it.
type touchOp struct {
	elem *kind
	f    *field
	use  use // load, assign or step1
}

func (c *oneCase) touchOp(elem *kind) touchOp {
	o := touchOp{elem: elem, use: []use{load, load, assign, step1}[c.rng.IntN(4)]}
	if elem.fields != nil {
		o.f = c.field(elem)
	}
	return o
}

// text returns the statement that accesses the element.
func (o touchOp) text(element string) string {
	if o.f != nil {
		element += "." + o.f.name
	}
	switch o.use {
	case load:
		return fmt.Sprintf("acc += int(%s)\n", element)
	case assign:
		return element + " = 1\n"
	}
	return element + "++\n"
}

// touch records the access of element i; ok is false if there is no such element.
func (o touchOp) touch(r *runner, v elems, i int) (ok bool) {
	if i < 0 || i >= v.n {
		return false
	}
	lo, hi := bytesOf(o.elem, o.f)
	at := v.off + i*o.elem.size
	if o.use != assign {
		r.touch(v.obj, at+lo, at+hi, false)
	}
	if o.use != load {
		r.touch(v.obj, at+lo, at+hi, true)
	}
	return true
}

// A walker is a slice that gets shorter.
type walker struct {
	name string
	part
	width int // the loop ends when fewer elements are left
	step  int
}

// shrinking draws a loop over one or two slices that get shorter.
func (c *oneCase) shrinking(s *scope) stmt {
	l := shrinkingLoop{last: -1, leave: ctl{kind: brk}}
	for range 1 + c.rng.IntN(2) {
		of := c.anySlice(s, 3)
		if of == nil {
			return nil
		}
		p := c.part(s, of, 2+c.rng.IntN(of.n-1))
		w := walker{name: c.name("w"), part: p, width: 1 + c.rng.IntN(4)}
		w.step = 1 + c.rng.IntN(w.width)
		l.walkers = append(l.walkers, w)
	}
	for range 1 + c.rng.IntN(4) {
		k := c.rng.IntN(len(l.walkers))
		w := l.walkers[k]
		o := walkerOp{k, c.rng.IntN(w.width), c.touchOp(w.of.elem)}
		if s.fails && c.rng.Chance(15) {
			o.i += w.width
		}
		l.ops = append(l.ops, o)
	}
	if c.rng.Chance(30) {
		l.last = c.rng.IntN(6)
		if s.returns && c.rng.Chance(40) {
			l.leave.kind = ret
		}
	}
	l.together = c.rng.Chance(50)
	return &act{l.text(), l.run}
}

// A shrinkingLoop makes slices shorter until one of them is too short.
type shrinkingLoop struct {
	walkers  []walker
	ops      []walkerOp // the accesses of an iteration
	last     int        // the loop ends early when so many elements are left; -1: it does not
	leave    ctl        // how it ends early
	together bool       // one statement assigns to all slices
}

// A walkerOp accesses element i of the rest of a slice.
type walkerOp struct {
	walker, i int
	touchOp
}

// text returns the source of the loop.
func (l *shrinkingLoop) text() string {
	var b strings.Builder
	var conds, names, rests []string
	for _, w := range l.walkers {
		fmt.Fprintf(&b, "%s := %s\n", w.name, w.part)
		conds = append(conds, fmt.Sprintf("len(%s) >= %d", w.name, w.width))
		names, rests = append(names, w.name), append(rests, fmt.Sprintf("%s[%d:]", w.name, w.step))
	}
	fmt.Fprintf(&b, "for %s {\n", strings.Join(conds, " && "))
	for _, o := range l.ops {
		b.WriteString(o.text(fmt.Sprintf("%s[%d]", l.walkers[o.walker].name, o.i)))
	}
	if l.last >= 0 {
		fmt.Fprintf(&b, "if len(%s) <= %d {\n%s\n}\n", l.walkers[0].name, l.last, map[ctlKind]string{brk: "break", ret: "return"}[l.leave.kind])
	}
	if l.together {
		fmt.Fprintf(&b, "%s = %s\n", strings.Join(names, ", "), strings.Join(rests, ", "))
	} else {
		for i, n := range names {
			fmt.Fprintf(&b, "%s = %s\n", n, rests[i])
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// run records the accesses of the loop.
func (l *shrinkingLoop) run(r *runner, f *frame) ctl {
	var vs []elems
	for _, w := range l.walkers {
		vs = append(vs, w.cut(r, f))
	}
	for {
		for i, w := range l.walkers {
			if vs[i].n < w.width {
				return ctl{}
			}
		}
		for _, o := range l.ops {
			if !o.touch(r, vs[o.walker], o.i) {
				return failed()
			}
		}
		if vs[0].n <= l.last {
			if l.leave.kind == ret {
				return l.leave
			}
			return ctl{}
		}
		for i, w := range l.walkers {
			vs[i].off += w.step * w.of.elem.size
			vs[i].n -= w.step
		}
	}
}

// windows draws a loop with a window that moves over a slice.
func (c *oneCase) windows(s *scope) stmt {
	of := c.anySlice(s, 3)
	if of == nil {
		return nil
	}
	width := 1 + c.rng.IntN(3)
	step := 1 + c.rng.IntN(4)
	from := c.within(s, 0, of.n-1)
	var at []int
	var ops []touchOp
	j, d := c.name("j"), c.name("d")
	var b strings.Builder
	fmt.Fprintf(&b, "%s := %s\nfor %s+%d <= %d {\n%s := %s[%s : %s+%d : %s+%d]\n", j, from, j, width, of.n, d, of.name, j, j, width, j, width)
	for range 1 + c.rng.IntN(4) {
		o, i := c.touchOp(of.elem), c.rng.IntN(width)
		at, ops = append(at, i), append(ops, o)
		b.WriteString(o.text(fmt.Sprintf("%s[%d]", d, i)))
	}
	fmt.Fprintf(&b, "%s += %d\n}\n", j, step)
	return &act{b.String(), func(r *runner, f *frame) ctl {
		for j := from.eval(f); j+width <= of.n; j += step {
			v := r.slice(f, of)
			if j < 0 {
				r.discard("a part that is not there")
			}
			for k, o := range ops {
				o.touch(r, elems{v.obj, v.off + j*of.elem.size, width}, at[k])
			}
		}
		return ctl{}
	}}
}

// scanner draws a loop without a condition that reads a slice and fills another.
func (c *oneCase) scanner(s *scope) stmt {
	src, dst := c.anySlice(s, 2), c.anySlice(s, 2)
	if src == nil || dst == nil {
		return nil
	}
	in, out := c.touchOp(src.elem), c.touchOp(dst.elem)
	in.use = load
	piece := c.part(s, src, 1+c.rng.IntN(src.n-1))
	mod := 1 + c.rng.IntN(3)
	room := dst.n
	if s.fails && c.rng.Chance(20) {
		room += 2
	}
	p, q := c.name("p"), c.name("q")
	text := fmt.Sprintf("%s, %s := %s, 0\nfor {\nif %s >= %s {\nbreak\n}\n%s%s++\nif %s%%%d == 0 && %s < %d {\n%s%s++\n}\n}\n",
		p, q, piece.from, p, piece.to, in.text(src.name+"["+p+"]"), p, p, mod, q, room, out.text(dst.name+"["+q+"]"), q)
	return &act{text, func(r *runner, f *frame) ctl {
		for p, q := piece.from.eval(f), 0; p < piece.to.eval(f); {
			if !in.touch(r, r.slice(f, src), p) {
				return failed()
			}
			if p++; p%mod == 0 && q < room {
				if !out.touch(r, r.slice(f, dst), q) {
					return failed()
				}
				q++
			}
		}
		return ctl{}
	}}
}

// twoPointers draws a loop with one index that rises and one that falls.
func (c *oneCase) twoPointers(s *scope) stmt {
	of := c.anySlice(s, 3)
	if of == nil {
		return nil
	}
	low, high := c.touchOp(of.elem), c.touchOp(of.elem)
	piece := c.part(s, of, 2+c.rng.IntN(of.n-1))
	mod := 2 + c.rng.IntN(3)
	i, j := c.name("i"), c.name("j")
	text := fmt.Sprintf("for %s, %s := %s, %s; %s <= %s; {\nif (%s+2*%s)%%%d == 0 {\n%s%s++\n} else {\n%s%s--\n}\n}\n",
		i, j, piece.from, piece.to.plus(-1), i, j, i, j, mod, low.text(of.name+"["+i+"]"), i, high.text(of.name+"["+j+"]"), j)
	return &act{text, func(r *runner, f *frame) ctl {
		for i, j := piece.from.eval(f), piece.to.eval(f)-1; i <= j; {
			o, k := high, j
			if (i+2*j)%mod == 0 {
				o, k = low, i
				i++
			} else {
				j--
			}
			if !o.touch(r, r.slice(f, of), k) {
				return failed()
			}
		}
		return ctl{}
	}}
}

// scattered draws a loop that reaches elements in no order, some of them several times.
func (c *oneCase) scattered(s *scope) stmt {
	of := c.anySlice(s, 3)
	if of == nil {
		return nil
	}
	o := c.touchOp(of.elem)
	n, mul, add := 4+c.rng.IntN(120), 1+c.rng.IntN(40), c.rng.IntN(9)
	size := 1 + c.rng.IntN(of.n)
	if s.fails && c.rng.Chance(20) {
		size += of.n / 2
	}
	k := c.name("k")
	text := fmt.Sprintf("%s := 0\nfor %s < %d {\n%s%s++\n}\n", k, k, n, o.text(fmt.Sprintf("%s[(%s*%d+%d)%%%d]", of.name, k, mul, add, size)), k)
	return &act{text, func(r *runner, f *frame) ctl {
		for k := range n {
			if !o.touch(r, r.slice(f, of), (k*mul+add)%size) {
				return failed()
			}
		}
		return ctl{}
	}}
}
