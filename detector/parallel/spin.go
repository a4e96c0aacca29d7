package parallel

import "taskinstr/detector/mem"

// unlockWord gives up a lock that mem.Lock has taken.
func (e *Engine) unlockWord(p *uint32) {
	if e.opt.TSO {
		*p = 0
		return
	}
	mem.Store32(p, 0)
}

// unlockSeq gives up a sequence lock.
func (e *Engine) unlockSeq(p *uint32) {
	if e.opt.TSO {
		*p++
		return
	}
	mem.Store32(p, *p+1)
}
