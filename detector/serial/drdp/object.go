package drdp

// An object is a thing that tasks release and acquire: a promise, a channel or a place of its
// buffer, a finish scope, an atomic word. The host names it by its address.
type object struct {
	next   uint32 // in the list of its slot; also the link of the free chain
	points uint32 // the newest point
	key    uint64
	joiner uint32 // the task that has joined all points, 0: none
	at     uint32 // and the step in which it has
}

// A point is a place that was left at an object.
type point struct {
	older uint32 // also the link of the free chain
	task  uint32
	at    uint32
}

const (
	objectSlots = 1 << 18
	blockShift  = 8 // objects of one block of memory are in one slot
)

func (e *Engine) objectAt(i uint32) *object { return (*object)(e.objects.At(i)) }

func (e *Engine) pointAt(i uint32) *point { return (*point)(e.points.At(i)) }

//go:nosplit
func (e *Engine) objectSlot(key uint64) *uint32 {
	return e.slots.At32(uintptr(key >> blockShift * 0x9e3779b97f4a7c15 >> 46))
}

// object returns the object of a key, 0 if there is none.
func (e *Engine) object(key uint64) uint32 {
	i := *e.objectSlot(key)
	for i != 0 && e.objectAt(i).key != key {
		i = e.objectAt(i).next
	}
	return i
}

// newObject returns the object of a key, a new one if there is none.
func (e *Engine) newObject(key uint64) *object {
	i := e.object(key)
	if i == 0 {
		l := e.objectSlot(key)
		i = e.objects.Take()
		*e.objectAt(i) = object{next: *l, key: key}
		*l = i
		e.HoldObject(uintptr(key))
	}
	return e.objectAt(i)
}

// addPoint leaves the place of t at an object.
func (e *Engine) addPoint(t *Task, o *object) {
	p := e.placeOf(t)
	if i := o.points; i != 0 && e.pointAt(i).task == p.task {
		if e.pointAt(i).at < p.at {
			e.pointAt(i).at, o.joiner = p.at, 0
		}
		return
	}
	i := e.points.Take()
	*e.pointAt(i) = point{older: o.points, task: p.task, at: p.at}
	o.points = i
	o.joiner = 0
}

// placeOf returns the place of t. It is the place of the fork if t has done nothing.
func (e *Engine) placeOf(t *Task) place {
	p := place{t.ID, e.infoOf(t.ID).seq}
	for n := e.infoOf(t.ID); n.last == 0 && n.Parent != 0; n = e.infoOf(p.task) {
		p = place{n.Parent, n.fork}
	}
	return p
}

// dropPoints empties an object.
func (e *Engine) dropPoints(o *object) {
	for i := o.points; i != 0; {
		older := e.pointAt(i).older
		e.points.Add(i)
		i = older
	}
	o.points, o.joiner = 0, 0
}

// joinObject joins all points of an object, the newest first: a task that ends later
// may be the parent of one that has ended earlier.
func (e *Engine) joinObject(t *Task, o *object) {
	if o.joiner == t.ID {
		return
	}
	for i := o.points; i != 0; i = e.pointAt(i).older {
		p := e.pointAt(i)
		e.join(t, p.task, p.at)
	}
	if o.points != 0 {
		o.joiner, o.at = t.ID, e.infoOf(t.ID).seq
	}
}

// DropObjects forgets the objects in n bytes at a, which have a new owner.
func (e *Engine) DropObjects(a, n uintptr) {
	for b := a &^ (1<<blockShift - 1); b < a+n; b += 1 << blockShift {
		for l := e.objectSlot(uint64(b)); *l != 0; {
			i := *l
			o := e.objectAt(i)
			if o.key-uint64(a) >= uint64(n) {
				l = &o.next
				continue
			}
			e.dropPoints(o)
			*l = o.next
			*o = object{}
			e.objects.Add(i)
		}
	}
}

// ObjectIn reports whether there is an object in n bytes at a.
//
//go:nosplit
func (e *Engine) ObjectIn(a, n uintptr) bool {
	for b := a &^ (1<<blockShift - 1); b < a+n; b += 1 << blockShift {
		for i := *e.objectSlot(uint64(b)); i != 0; {
			o := (*object)(e.objects.At(i))
			if o.key-uint64(a) < uint64(n) {
				return true
			}
			i = o.next
		}
	}
	return false
}

// clearObjects forgets all objects.
func (e *Engine) clearObjects() {
	for i := uint32(1); i < e.objects.Next; i++ {
		if k := e.objectAt(i).key; k != 0 {
			*e.objectSlot(k) = 0
			e.ReleaseObjects(uintptr(k))
		}
	}
	e.objects.Restart()
	e.points.Restart()
}
