package parallel

import "unsafe"

// A taskInfo identifies a task. It outlives the task as long as
// recorded accesses name it.
type taskInfo struct {
	next     uint32 // link of the free chain
	parent   uint32
	forkStep uint32
	body     uint32 // index of the Task while it lives, else 0

	created uint32 // stack id of the fork
	mark    uint32
	flags   uint32
	last    uint32 // its last step with an access or a release, once it has ended
	cover   uint32 // its last step with an access, once it has ended
	given   uint32 // its last step with a release, once it has ended
	pc      uintptr
	serial  uint64
	name    uint64

	// If forgotten ancestors lie between this task and parent: pc and created of the Fork
	// of the uppermost of them.
	viaPC    uintptr
	viaStack uint32

	// The critical sections that surrounded the fork of this task: those of its parent, and those
	// that surrounded the parent and lasted. It is a lockset while a record or the task itself
	// lives. See surround.
	forkSet uint32
}

// branch returns pc and created of the Fork at which this task's line branched off its
// parent.
func (n *taskInfo) branch() (pc uintptr, stack uint32) {
	if n.viaPC != 0 {
		return n.viaPC, n.viaStack
	}
	return n.pc, n.created
}

const (
	infoUsed uint32 = 1 << iota
	infoEnded
	infoBackground
	infoMain
	infoFollowed // during a sweep: something that is kept names a step that the task has released, see unfollowed
)

func (e *Engine) info(i uint32) *taskInfo {
	return (*taskInfo)(unsafe.Add(nil, e.tasks.Base+uintptr(i)*unsafe.Sizeof(taskInfo{})))
}

// Serial returns the number of a task in the order of forks; the main task is 1.
func (e *Engine) Serial(t *Task) uint64 { return t.serial }
