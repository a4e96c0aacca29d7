package task

import (
	"sync"
	"unsafe"
)

// isolation is held by the running Isolated section.
var isolation sync.Mutex

// Isolated runs body while no other Isolated section of the program runs. It does not
// exclude code outside of such sections (weak isolation), so each access to the protected
// data must be in one. The body can neither start tasks nor wait for tasks or promises:
// these operations panic. It may set a promise. A section inside of a section is part of
// the outer one.
func (t *Task) Isolated(body func()) {
	if t.state == isolated {
		body()
		return
	}
	t.check("Isolated")
	event(isolatedWait, unsafe.Pointer(&isolation))
	h := hide()
	isolation.Lock()
	show(h)
	t.state = isolated
	event(isolatedBegin, nil)
	defer t.leaveIsolated()
	body()
}

func (t *Task) leaveIsolated() {
	event(isolatedEnd, nil)
	t.state = running
	h := hide()
	isolation.Unlock()
	show(h)
}
