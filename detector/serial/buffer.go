package serial

// bufferBase is above all memory: addresses have 48 bits, or 57 in the kernel's half.
const bufferBase = 1 << 60

// Buffer returns the address of the first of n elements of size zero of a channel, which are 8 bytes
// apart. The program has no memory there, and no other buffer ever gets these addresses. The result
// is 0 if n is too large.
func (e *Engine) Buffer(_ *Task, _, n uintptr) uintptr {
	if n > maxBuffer {
		return 0
	}
	base := bufferBase + e.bufferBytes
	e.bufferBytes += n * wordBytes
	return base
}

// maxBuffer is the largest number of elements for which Buffer makes a buffer.
const maxBuffer = 1 << 24
