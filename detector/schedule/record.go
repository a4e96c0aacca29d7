package schedule

import "unsafe"

// A Recorder writes the choices of a run as text, which docs/design/schedule.md describes:
//
//	taskinstr schedule 1
//	strategy random:7
//	seed 7
//	points program
//	access flag.go:12        the sites whose accesses have points
//	cryptorand seeded        package crypto/rand takes its bytes from the seed
//	wall 1795708800000000000   the clock is virtual, and began at this time
//	clock 1500000              the program waited for the system, until this time since its start
//	main 3                   main ran, and was chosen twice more
//	timer 2001000            the clock moved to a timer that was due soon, at this time since its start
//	main.2
//	let @1 main.1.1 ...      a path that was cut gets a number
//	main.2 | main.1:1 main.2:2r main.3:1!   a choice between tasks that are about to take locks
//	exit                     main returned or called os.Exit(0)
//
// The host passes each choice to Choice, and calls Flush before the program ends.
type Recorder struct {
	ts    *Tasks
	buf   uintptr // [recordSize]byte
	n     uintptr
	ops   bool   // the points are PointsOps
	locks *Locks // that number objects
	last  uint64 // hash of the path in the open last line; 0: no line is open
	runs  uint32 // how often that task was chosen in succession
}

const (
	recordSize  = 64 << 10
	recordTitle = "taskinstr schedule 1"

	// recordCrypto is a line of the head.
	recordCrypto = "cryptorand seeded"
)

// Init begins a record. strategy is the value of the option schedule. sites are the chosen sites, "" if there are none. crypto says
// that package crypto/rand takes its bytes from the seed. wall is the program's wall clock at the start,
// in nanoseconds, if the clock is virtual, otherwise 0.
func (r *Recorder) Init(ts *Tasks, strategy string, seed uint64, p Points, sites string, crypto bool, wall uint64) {
	r.ts = ts
	r.ops = p == PointsOps
	r.buf = uintptr(hostAlloc(recordSize))
	r.puts(recordTitle + "\nstrategy ")
	r.puts(strategy)
	r.puts("\nseed ")
	r.putn(seed)
	r.puts("\npoints ")
	r.puts(pointsText[p])
	if sites != "" {
		r.puts("\naccess ")
		r.puts(sites)
	}
	if crypto {
		r.putc('\n')
		r.puts(recordCrypto)
	}
	if wall != 0 {
		r.puts("\nwall ")
		r.putn(wall)
	}
	r.puts("\n")
}

func (r *Recorder) putc(c byte) {
	if r.n == recordSize {
		r.Flush()
	}
	*(*byte)(unsafe.Add(nil, r.buf+r.n)) = c
	r.n++
}

func (r *Recorder) puts(s string) {
	for i := 0; i < len(s); i++ {
		r.putc(s[i])
	}
}

func (r *Recorder) putn(v uint64) {
	if v >= 10 {
		r.putn(v / 10)
	}
	r.putc(byte('0' + v%10))
}

func (r *Recorder) putName(t ID) {
	if r.n > recordSize-MaxName {
		r.Flush()
	}
	e := r.ts.at(t)
	to := (*[MaxName]byte)(unsafe.Add(nil, r.buf+r.n))
	if e.size == 0 {
		n := r.ts.Name(t, to)
		r.n += uintptr(n)
		if n <= shortName {
			e.size = uint8(copy(e.text[:], to[:n]))
		}
		return
	}
	r.n += uintptr(copy(to[:e.size], e.text[:]))
}

// Fork records that parent has made child.
func (r *Recorder) Fork(parent, child ID) {
	mark := r.ts.Marked(child)
	if mark == 0 {
		return
	}
	r.endLine()
	r.puts("let @")
	r.putn(uint64(mark))
	r.putc(' ')
	r.putName(parent)
	r.putc('.')
	r.putn(uint64(r.ts.at(child).ordinal))
	r.putc('\n')
}

// Choice records that t was chosen.
func (r *Recorder) Choice(t ID) {
	if h := r.ts.Hash(t); h != r.last {
		r.endLine()
		r.putName(t)
		r.last, r.runs = h, 0
	}
	r.runs++
}

// Number tells where the numbers of locks and other objects are, before the first Section.
func (r *Recorder) Number(l *Locks) { r.locks = l }

// Section records the choice of t, which is about to take a lock, with all tasks that are
// about to take a lock or wait for one: NAME:LOCK, with r for a shared lock and ! for a
// held one. With t 0 all of them wait, and the run ends. With PointsOps there are other objects besides
// locks, operations may have several of them, separated by commas, or too many to be named (*), and w stands for waiting for a
// WaitGroup, t for an operation that does not wait, u for giving up a lock.
func (r *Recorder) Section(t ID) {
	r.endLine()
	if t != 0 {
		r.putName(t)
	} else {
		r.puts("none")
	}
	r.puts(" |")
	for x := r.ts.First(); x != 0; x = r.ts.After(x) {
		e := r.ts.at(x)
		if x != t && e.where != inLocks && e.where != atLock {
			continue
		}
		r.putc(' ')
		r.putName(x)
		r.putc(':')
		r.putObjects(e)
		if e.want&WantShared != 0 {
			r.putc('r')
		}
		if e.want&WantGroup != 0 {
			r.putc('w')
		}
		if e.want&WantTry != 0 && r.ops {
			r.putc('t')
		}
		if e.want&WantUnlock != 0 {
			r.putc('u')
		}
		if e.where == atLock {
			r.putc('!')
		}
	}
	r.putc('\n')
}

// putObjects writes the numbers of the objects that a task wants.
func (r *Recorder) putObjects(e *task) {
	if e.n > maxObjects {
		r.putc('*')
		return
	}
	for i := uint32(0); i < e.n; i++ {
		if i > 0 {
			r.putc(',')
		}
		r.putn(uint64(r.locks.find(e.objects[i]).number))
	}
}

// Events records the number of trace events before the next choice, as a comment for
// readers of both files.
func (r *Recorder) Events(n uint64) {
	r.endLine()
	r.puts("# event ")
	r.putn(n)
	r.puts("\n")
}

// Late records that the clock or the system may wake a task that cannot run at the next
// choice. That task could have taken part in the choice.
func (r *Recorder) Late() {
	r.endLine()
	r.puts("# late\n")
}

// Clock records that the program has waited for the system, and that its clock shows now, in nanoseconds since
// the start.
func (r *Recorder) Clock(now uint64) {
	r.endLine()
	r.puts("clock ")
	r.putn(now)
	r.puts("\n")
}

// Timer records that the clock has moved to a timer that was due soon, at the time now, in nanoseconds since the start.
func (r *Recorder) Timer(now uint64) {
	r.endLine()
	r.puts("timer ")
	r.putn(now)
	r.puts("\n")
}

// Note records a word about t, as a comment.
func (r *Recorder) Note(what string, t ID) {
	r.endLine()
	r.puts("# ")
	r.puts(what)
	r.putName(t)
	r.puts("\n")
}

// Graph records the hash of the run's happens-before graph, as a comment.
func (r *Recorder) Graph(hash uint64) {
	r.endLine()
	r.puts("# graph ")
	for shift := 60; shift >= 0; shift -= 4 {
		r.putc("0123456789abcdef"[hash>>shift&15])
	}
	r.puts("\n")
}

// endLine ends the line of the task that was chosen last.
func (r *Recorder) endLine() {
	if r.last == 0 {
		return
	}
	if r.runs > 1 {
		r.putc(' ')
		r.putn(uint64(r.runs))
	}
	r.putc('\n')
	r.last = 0
}

// Exit records that the program's main function has returned.
func (r *Recorder) Exit() {
	r.endLine()
	r.puts("exit\n")
}

// Flush passes the buffered text to the host.
func (r *Recorder) Flush() {
	n := r.n
	r.n = 0
	hostWrite(r, unsafe.Add(nil, r.buf), n)
}

// Close ends the record.
func (r *Recorder) Close() {
	r.endLine()
	r.Flush()
}
