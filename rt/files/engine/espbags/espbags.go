//go:build taskinstr_runtime

// The constants and host functions of package espbags alone.

package runtime

import "unsafe"

// se_readerLists: a word has one reader.
const se_readerLists = false

// se_lineWords: tasks work on rows of matrices and longer pieces of memory.
const se_lineWords = 128

// tr_depthFirst: each task that ran before is in a bag.
const tr_depthFirst = true

// tr_outside counts the calls of ti_hostOutside.
var tr_outside uint64

// ti_hostOutside notes an order between t and another task that the bags do not have.
func ti_hostOutside(e *ti_Engine, t *ti_Task) {
	tr_outside++
	gp := getg().m.curg
	if !tr_opt.verdict || gp == nil || (*ti_Task)(unsafe.Pointer(gp.racectx)) != t || gp.sched.bp == 0 {
		return
	}
	w := tr_walkOf(t)
	tr_walkUp(gp, t, w, gp.sched.bp)
	w.act = 0
	for i := w.n - 1; i >= 0; i-- {
		f := findfunc(w.at(i).pc)
		if !f.valid() {
			continue
		}
		if name := funcname(f); !tr_hidden(name, false) && !tr_synchronizes(name) {
			tr_noteChoice(tr_choiceOrder, w.at(i).pc)
			return
		}
	}
}
