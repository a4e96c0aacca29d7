package ssapass

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
)

// This file looks at the owners of objects of pooled types: at what a function does with an object after it has put the object into the
// pool, and at objects that functions return.

// An ownedObject is the pointers of a function that may lead to one object of a candidate type.
type ownedObject struct {
	group
	param []*ssa.Parameter
	put   []ssa.Instruction
	later []*ssa.Defer // deferred calls that use the object
	twice bool         // a call that puts the object has two pointers to it
	late  bool         // a list of the object is used behind the put
}

// given reports whether the object may have come from the caller.
func (o *ownedObject) given() bool { return len(o.param) > 0 }

// owners drops the types of objects that an owner uses after it has put them into the pool, or that a function returns to the
// caller who passed it.
func (w *pooling) owners() {
	clear(w.consumes)
	for again := true; again; {
		again = false
		for _, f := range w.funcs {
			for _, o := range w.objects(f) {
				for _, p := range o.param {
					if len(o.put) > 0 && !w.consumes[p] {
						w.consumes[p], again = true, true
					}
				}
			}
		}
	}
	for _, f := range w.funcs {
		for _, o := range w.objects(f) {
			if !w.keepsRule(o) {
				for _, v := range o.members {
					w.drop(pointee(v))
				}
			}
			if o.late {
				for _, v := range o.members {
					w.leaky[pointee(v)] = true
				}
			}
		}
	}
}

// keepsRule reports whether the function uses the object only as long as it owns it.
func (w *pooling) keepsRule(o *ownedObject) bool {
	if o.twice || len(o.put) > 0 && len(o.later) > 1 {
		return false
	}
	var reached func(ssa.Instruction) bool
	if len(o.put) > 0 {
		for _, d := range o.later {
			if !slices.Contains(o.put, ssa.Instruction(d)) {
				return false // runs behind Put
			}
		}
		reached = reachedAfter(nil, o.begins(), w.ends(o), w.places)
	}
	for _, v := range o.members {
		for _, u := range *v.Referrers() {
			_, returned := u.(*ssa.Return)
			_, debug := u.(*ssa.DebugRef)
			switch behind := !debug && reached != nil && reached(u); {
			case isList(v.Type()):
				o.late = o.late || behind
			case behind || returned && o.given():
				return false
			}
		}
	}
	return true
}

// ends returns the instructions behind which the object is in the pool.
func (w *pooling) ends(o *ownedObject) (list []ssa.Instruction) {
	for _, in := range o.put {
		if d, ok := in.(*ssa.Defer); ok {
			for in := range instrs.Of(d.Parent()) {
				if _, ok := in.(*ssa.RunDefers); ok {
					list = append(list, in)
				}
			}
			continue
		}
		list = append(list, in)
	}
	return list
}

// objects returns the objects of candidate types to which f has pointers.
func (w *pooling) objects(f *ssa.Function) []*ownedObject {
	u := &unions{parent: map[ssa.Value]ssa.Value{}}
	for _, p := range f.Params {
		if w.of(p) != 0 {
			u.find(p)
		}
	}
	for in := range instrs.Of(f) {
		if v, ok := in.(ssa.Value); ok && w.of(v) != 0 {
			u.find(v)
			w.join(u, v)
		} else if ok && w.of(inside(v)) != 0 && inside(v) != v {
			u.union(v, inside(v))
		}
		if s, ok := in.(*ssa.Store); ok && w.of(s.Val) != 0 && isCell(s.Addr) {
			u.union(s.Val, s.Addr)
		}
	}
	w.joinLists(u, f)
	if len(u.order) == 0 {
		return nil
	}
	objects := map[ssa.Value]*ownedObject{}
	var list []*ownedObject
	for _, v := range u.order {
		o := objects[u.find(v)]
		if o == nil {
			o = &ownedObject{}
			objects[u.find(v)] = o
			list = append(list, o)
		}
		o.members = append(o.members, v)
		if p, ok := v.(*ssa.Parameter); ok {
			o.param = append(o.param, p)
		}
	}
	for in := range instrs.Of(f) {
		if c, ok := in.(ssa.CallInstruction); ok {
			w.called(c, func(v ssa.Value) *ownedObject { return objects[u.known(v)] })
		}
	}
	return list
}

// join puts v together with the values from which it comes.
func (w *pooling) join(u *unions, v ssa.Value) {
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if _, ok := e.(*ssa.Const); !ok {
				u.union(v, e)
			}
		}
	case *ssa.FieldAddr, *ssa.IndexAddr:
		u.union(v, inside(v))
	case *ssa.UnOp:
		if a := w.ofSelf(v); a != nil {
			u.union(v, inside(a))
		} else {
			u.union(v, v.X)
		}
	}
}

// called notes what a call does to the objects of its arguments.
func (w *pooling) called(c ssa.CallInstruction, object func(ssa.Value) *ownedObject) {
	d, deferred := c.(*ssa.Defer)
	args := c.Common().Args
	if poolMethod(c) == "Put" {
		if m, ok := args[1].(*ssa.MakeInterface); ok {
			if o := object(m.X); o != nil {
				o.put = append(o.put, c)
				if deferred {
					o.later = append(o.later, d)
				}
			}
		}
		return
	}
	f := w.callee(c)
	if f == nil {
		return
	}
	for i, v := range args {
		o := object(v)
		if o == nil {
			continue
		}
		if deferred && !slices.Contains(o.later, d) {
			o.later = append(o.later, d)
		}
		if i < len(f.Params) && w.consumes[f.Params[i]] {
			o.put = append(o.put, c)
			for j, x := range args {
				again := j != i && object(x) == o
				o.twice = o.twice || again && !isList(x.Type())
				o.late = o.late || again && isList(x.Type())
			}
		}
	}
}

// conclude names the pooled types that are left. Types that share parts have one name.
func (w *pooling) conclude() {
	parent := map[*types.TypeName]*types.TypeName{}
	var find func(t *types.TypeName) *types.TypeName
	find = func(t *types.TypeName) *types.TypeName {
		if p := parent[t]; p != nil && p != t {
			return find(p)
		}
		return t
	}
	for t := range w.kinds {
		for _, f := range fieldsOf(t.Type()) {
			if p := declared(f.Type()); w.kinds[p] == part {
				x, y := find(t), find(p)
				if y.Name() < x.Name() && w.kinds[y] == handle || w.kinds[x] == part {
					x, y = y, x
				}
				if x != y {
					parent[y] = x
				}
			}
		}
	}
	for t := range w.kinds {
		if n := find(t); w.kinds[n] == handle {
			w.names[t] = n
		}
	}
	w.leaks = slices.DeleteFunc(w.leaks, func(l Leak) bool { return w.names[l.Type] == nil })
	for i := range w.leaks {
		w.leaks[i].Type = w.names[w.leaks[i].Type]
	}
}

// unions are sets of values, each with one that stands for it.
type unions struct {
	parent map[ssa.Value]ssa.Value
	order  []ssa.Value
}

func (u *unions) find(v ssa.Value) ssa.Value {
	p, ok := u.parent[v]
	if !ok {
		u.parent[v] = v
		u.order = append(u.order, v)
		return v
	}
	if p == v {
		return v
	}
	r := u.find(p)
	u.parent[v] = r
	return r
}

func (u *unions) union(v, x ssa.Value) { u.parent[u.find(v)] = u.find(x) }

// known returns the value that stands for the set of v, nil if v is in none.
func (u *unions) known(v ssa.Value) ssa.Value {
	if _, ok := u.parent[v]; !ok {
		return nil
	}
	return u.find(v)
}
