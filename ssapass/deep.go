package ssapass

import (
	"encoding/binary"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/pointsto"
)

// A deepMemory answers which memory a value leads to. Calls of external functions ask that for
// each argument, and most arguments of one package lead to the same few thousand objects. So
// the targets of an object are found once, and values that point to the same objects share
// an answer.
type deepMemory struct {
	deepOf   map[string]*deepAnswer // by the objects that the value points to
	deepPart map[int]*deepObject    // by Object.ID
	deepSeen []uint32               // by Object.ID, the walk that has met the object last
	walks    uint32
}

// A deepAnswer is all memory that a value leads to.
type deepAnswer struct {
	objects []*deepObject
	outer   map[*deepObject]bool // of objects, those to which the value points and none of objects does
	unknown bool
}

// A deepObject is an object with the objects to which its pointers point.
type deepObject struct {
	memory  pointsto.Set // the whole object
	targets []*pointsto.Object
	unknown bool // one of the pointers is unknown, or a part of the object has escaped
}

// deep calls visit for all memory that v leads to. If behind is set, it omits the objects to which
// v itself points, unless memory that v leads to points to them as well.
func (a *Analysis) deep(v ssa.Value, behind bool, visit func(pointsto.Set)) {
	r := a.Points
	if a.deepOf == nil {
		a.deepOf, a.deepPart, a.deepSeen = map[string]*deepAnswer{}, map[int]*deepObject{}, make([]uint32, len(r.Objects))
	}
	var first []*pointsto.Object
	var key []byte
	unknown := false
	a.walks++
	for _, s := range r.Parts(v) {
		unknown = unknown || s.Unknown
		for _, c := range s.Cells {
			if o := r.Object(c); a.meet(o) {
				first = append(first, o)
				key = binary.LittleEndian.AppendUint32(key, uint32(o.ID))
			}
		}
	}
	d := a.deepOf[string(key)]
	if d == nil {
		d = a.follow(first)
		a.deepOf[string(key)] = d
	}
	for _, o := range d.objects {
		if !behind || !d.outer[o] {
			visit(o.memory)
		}
	}
	if unknown || d.unknown {
		visit(pointsto.Set{Unknown: true, Width: 1})
	}
}

// meet reports whether the present walk has not met the object before.
func (a *Analysis) meet(o *pointsto.Object) bool {
	if a.deepSeen[o.ID] == a.walks {
		return false
	}
	a.deepSeen[o.ID] = a.walks
	return true
}

// follow returns the memory that the objects, which the walk has met, lead to.
func (a *Analysis) follow(work []*pointsto.Object) *deepAnswer {
	d := &deepAnswer{outer: map[*deepObject]bool{}}
	for _, o := range work {
		d.outer[a.deepObject(o)] = true
	}
	for len(work) > 0 {
		o := a.deepObject(work[len(work)-1])
		work = work[:len(work)-1]
		d.objects = append(d.objects, o)
		d.unknown = d.unknown || o.unknown
		for _, t := range o.targets {
			delete(d.outer, a.deepObject(t))
			if a.meet(t) {
				work = append(work, t)
			}
		}
	}
	return d
}

// deepObject returns the object with its targets.
func (a *Analysis) deepObject(o *pointsto.Object) *deepObject {
	d := a.deepPart[o.ID]
	if d == nil {
		d = &deepObject{memory: pointsto.Set{Cells: []uint32{o.Base}, Width: o.Size}}
		has := map[int]bool{}
		d.unknown = a.Points.Targets(o, func(t *pointsto.Object) {
			if !has[t.ID] {
				has[t.ID] = true
				d.targets = append(d.targets, t)
			}
		}) || o.Opened
		a.deepPart[o.ID] = d
	}
	return d
}
