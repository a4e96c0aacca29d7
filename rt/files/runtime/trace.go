//go:build taskinstr_runtime

// The recorder: TASKINSTR=trace=FILE writes the program's events to a file, in the format
// of package detector/trace, whose encoder is merged into this package with the prefix
// tw_.
//
// While a trace is written the engine only learns of tasks and calling contexts. It has
// no history, so no filter and no quick path succeeds and every access reaches
// tr_recordHere; and it reports nothing. Of a task's accesses of one kind to the same
// bytes at one place, the trace contains the first of each step. A step ends at the
// task's next event other than an access.
//
// Events are written in the order in which hooks take tr_trace.lock. A release is
// recorded before it takes effect and an acquire after it, so this is a possible order of
// the execution.

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// tr_tracing says that a trace is written. It is set before the main task begins.
var tr_tracing bool

var tr_trace struct {
	lock   uint32
	fd     int32
	closed bool // nothing more is written: the program ends, or a write has failed
	failed bool // a write has failed
	name   [4096]byte
	blocks uint32
	bytes  uint64
	out    uintptr // head and payload of a block
	table  uintptr // of the compressor
	enc    tw_Encoder

	strings, locations, stacks, places, tasks tr_map
	nStrings, nLocations, nStacks, nPlaces    uint32
	contexts                                  uintptr // [tr_traceContexts]tr_context
	chain                                     uintptr // [tr_traceDepth]uint32: contexts in translation

	seen       uintptr // [tr_traceSeen]tr_seen
	acquired   uintptr // [tr_traceSeen]tr_acquiredBy
	branches   uint64  // number of branch events so far
	generation uint32  // rises when memory may have a new owner
	touched    uintptr // a bit for each granule that may have been accessed
}

const (
	tr_traceSeen     = 1 << 15
	tr_traceContexts = 1 << 14
	tr_traceOutSize  = tw_HeadSize + tw_MaxPayload
	tr_traceDepth    = 1 << 16 // deeper calling contexts lose their outermost calls

	// The bitmap of accessed memory. Granules at this distance share a bit; then an
	// allocation may be recorded unnecessarily.
	tr_granule      = 64
	tr_touchedBits  = 1 << 26
	tr_touchedBytes = tr_touchedBits / 8
)

// A tr_seen is an access that the trace contains for the present step.
type tr_seen struct {
	addr, size uintptr
	task, step uint32
	site       uint32
	generation uint32
	kind       uint32
}

// A tr_acquiredBy says that the address had no release since the task acquired there.
type tr_acquiredBy struct {
	addr uintptr
	task uint32
}

// tr_traceStart opens the file. %p in its name means the process id.
func tr_traceStart() {
	x := &tr_trace
	if !tr_fileName(x.name[:], tr_opt.trace) {
		print("taskinstr: trace: file name too long\n")
		exit(tr_exitUsage)
	}
	x.fd = tr_create(&x.name[0])
	if x.fd < 0 {
		print("taskinstr: trace: cannot create ", tr_traceName(), ": give the name of a file in a folder that you may write to, TASKINSTR=trace=FILE\n")
		exit(tr_exitUsage)
	}
	x.enc.Buf = (*[tw_BlockSize]byte)(tr_alloc(tw_BlockSize))[:]
	x.out = uintptr(tr_alloc(tr_traceOutSize))
	x.table = uintptr(tr_alloc(unsafe.Sizeof(tw_Table{})))
	x.contexts = uintptr(tr_alloc(tr_traceContexts * unsafe.Sizeof(tr_context{})))
	x.chain = uintptr(tr_alloc(tr_traceDepth * 4))
	x.seen = uintptr(tr_alloc(tr_traceSeen * unsafe.Sizeof(tr_seen{})))
	x.acquired = uintptr(tr_alloc(tr_traceSeen * unsafe.Sizeof(tr_acquiredBy{})))
	x.touched = uintptr(tr_alloc(tr_touchedBytes))
	x.generation = 1
	tr_traceOperator = tr_traceOperation
	head := [len(tw_Magic) + 1]byte{}
	copy(head[:], tw_Magic)
	head[len(tw_Magic)] = tw_Version
	tr_traceOut(unsafe.Pointer(&head[0]), uintptr(len(head)))
	if x.closed {
		exit(tr_exitUsage)
	}
	tr_traceMeta("go", buildVersion)
	tr_traceMeta("os", GOOS)
	tr_traceMeta("arch", GOARCH)
	tr_traceMeta("module", tr_mainModule())
	tr_traceMeta("packages", tr_setting("taskinstr.pkgs="))
	tr_traceMeta("initialized", tr_initialized())
	tr_tracing = true
}

var tr_initializedText [48]byte

// tr_initialized returns the bounds of the memory that was not zero when the program
// began: two addresses, in decimal.
func tr_initialized() string {
	d := &firstmoduledata
	b := tr_initializedText[:]
	n := tr_digits(b, uint64(min(d.noptrdata, d.data)))
	b[n] = ' '
	n++
	n += tr_digits(b[n:], uint64(max(d.enoptrdata, d.edata)))
	return unsafe.String(&b[0], n)
}

func tr_traceName() string { return gostringnocopy(&tr_trace.name[0]) }

// tr_digits writes v in decimal and returns the number of digits.
func tr_digits(b []byte, v uint64) int {
	n := 1
	for w := v; w >= 10; w /= 10 {
		n++
	}
	for i := n - 1; i >= 0; i-- {
		b[i] = byte('0' + v%10)
		v /= 10
	}
	return n
}

// tr_traceOut writes bytes to the file. After an error the trace ends with the last whole
// block.
func tr_traceOut(p unsafe.Pointer, n uintptr) {
	const again = -4 // EINTR
	x := &tr_trace
	for n > 0 && !x.closed {
		k := write(uintptr(x.fd), p, int32(n))
		if k == again {
			continue
		}
		if k <= 0 {
			x.closed, x.failed = true, true
			print("taskinstr: trace: cannot write to ", tr_traceName(), " (error ", -k, ", is the disk full?): tracing stops; the trace can be used up to here\n")
			return
		}
		x.bytes += uint64(k)
		p = add(p, uintptr(k))
		n -= uintptr(k)
	}
}

// tr_traceBlock writes the filled block. The lock is held.
func tr_traceBlock() {
	x := &tr_trace
	n := x.enc.N
	if n == 0 {
		return
	}
	// unsafe.Slice may panic with write barriers, which are forbidden while a stack
	// grows.
	out := (*[tr_traceOutSize]byte)(unsafe.Pointer(x.out))[:]
	raw := x.enc.Buf[:n]
	k := tw_Compress(out[tw_HeadSize:], raw, (*tw_Table)(unsafe.Pointer(x.table)))
	if k >= n {
		k = copy(out[tw_HeadSize:], raw)
	}
	tw_PutHead(out, x.blocks, uint32(n), out[tw_HeadSize:tw_HeadSize+k])
	x.blocks++
	tr_traceOut(unsafe.Pointer(x.out), uintptr(tw_HeadSize+k))
	x.enc.Reset()
}

// tr_traceRoom makes room for a record with n bytes of text or numbers.
func tr_traceRoom(n int) {
	if !tr_trace.enc.Room(n) {
		tr_traceBlock()
	}
}

// tr_traceClose ends the trace. Later events are lost because the program ends. It is
// called at a crash too, perhaps by the thread that holds the lock.
func tr_traceClose() {
	const most = 1 << 16 // tries
	x := &tr_trace
	for i := 0; !atomic.Cas(&x.lock, 0, 1); i++ {
		if i == most {
			return
		}
		osyield()
	}
	if !x.closed {
		tr_traceRoom(0)
		x.enc.Define(tw_EndOfTrace)
		x.enc.Number(x.enc.Events)
		tr_traceBlock()
		x.closed = true
	}
	me_Unlock(&x.lock)
}

// tr_traceEnding is called where the program ends with a status other than 0.
//
//go:nosplit
func tr_traceEnding(code int) {
	if tr_tracing && code != 0 {
		systemstack(tr_traceClose)
	}
}

// tr_putTraced reports the size of the trace.
func tr_putTraced() {
	x := &tr_trace
	if x.failed {
		return // the error was reported
	}
	tr_puts("taskinstr: wrote the trace ")
	tr_puts(tr_traceName())
	tr_puts(", ")
	tr_putn(x.enc.Events)
	tr_puts(" events in ")
	tr_putn(x.bytes)
	tr_puts(" bytes; races are not looked for meanwhile: taskinstr detect ")
	tr_puts(tr_traceName())
	tr_puts("\n")
}
