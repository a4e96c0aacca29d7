package task

import (
	"sync"
	"unsafe"
)

// isolation is held by the Isolated section that runs.
var isolation sync.Mutex

// Isolated runs body while no other Isolated section of the program runs. Code outside
// of such sections is not kept away (weak isolation): each access to what the section
// guards must be in one. The body can neither start tasks nor wait for tasks or
// promises: that panics. Setting a promise is allowed, and so is a section in a section,
// which is part of the outer one.
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
