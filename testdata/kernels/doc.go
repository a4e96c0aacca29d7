// Package kernels has small tests with the concurrency defects of Go programs, one defect a test.
// Many of them show in few schedules:
//
//	go test -race -run '^TestLockOrder$' ./testdata/kernels
//	taskinstr test -explore=200 -run '^TestLockOrder$' ./testdata/kernels
//
// The kernel NAME is the function TestNAME. If there is a function TestNAMEFixed, it is the same
// program without the defect.
//
// # Terms
//
// A defect is blocking if goroutines wait for ever, and non-blocking if all goroutines end, in a wrong
// way. What shows it is a race, a deadlock, a panic (or a fatal error of the runtime), a failure of
// the test, or a time-out. A race may end in a panic in some schedules; the table names the first.
//
// # Kernels
//
//	NAME                 CLASS         CAUSE                 SHOWN BY
//	DoubleLock           blocking      double lock           deadlock
//	LockUpgrade          blocking      double lock           deadlock
//	OnceReentry          blocking      double lock           deadlock
//	LockOrder            blocking      lock order            deadlock
//	LockCycle            blocking      lock order            deadlock
//	LockCallback         blocking      lock order            deadlock
//	ReaderTwice          blocking      lock order            deadlock
//	SemaphoreOrder       blocking      lock order            deadlock
//	MissingUnlock        blocking      missing release       deadlock
//	SemaphoreLeak        blocking      missing release       deadlock
//	LockAndSend          blocking      lock and channel      deadlock
//	LockAndWait          blocking      lock and WaitGroup    deadlock
//	SpinUnderLock        blocking      lock and channel      time-out
//	ForgottenSender      blocking      channel misuse        deadlock
//	FirstError           blocking      channel misuse        deadlock
//	MissingClose         blocking      channel misuse        deadlock
//	NilChannel           blocking      channel misuse        deadlock
//	QueueFull            blocking      channel misuse        deadlock
//	SignalSkipped        blocking      channel misuse        deadlock
//	MissingDone          blocking      WaitGroup misuse      deadlock
//	WaitInLoop           blocking      WaitGroup misuse      deadlock
//	MissingCancel        blocking      missing cancel        deadlock
//	ContextLost          blocking      missing cancel        deadlock
//	SignalLost           blocking      Cond misuse           deadlock
//	SignalOne            blocking      Cond misuse           deadlock
//	TimerDrain           blocking      timer misuse          deadlock
//	SendOnClosed         non-blocking  channel misuse        panic
//	DoubleClose          non-blocking  channel misuse        panic
//	CloseBeforeSend      non-blocking  order violation       panic
//	UseBeforeInit        non-blocking  order violation       race
//	ReadyTooEarly        non-blocking  order violation       panic
//	UseAfterClose        non-blocking  order violation       panic
//	WorkAfterStop        non-blocking  order violation       failure
//	ResultTooEarly       non-blocking  order violation       race
//	AddInside            non-blocking  WaitGroup misuse      race
//	AddAfterWait         non-blocking  WaitGroup misuse      failure
//	DoneTwice            non-blocking  WaitGroup misuse      panic
//	CondWithoutLoop      non-blocking  Cond misuse           panic
//	TimerStop            non-blocking  timer misuse          panic
//	UnlockTwice          non-blocking  atomicity violation   panic
//	CheckThenAct         non-blocking  atomicity violation   failure
//	LostUpdate           non-blocking  atomicity violation   failure
//	LoadThenStore        non-blocking  atomicity violation   failure
//	AtomicLimit          non-blocking  atomicity violation   failure
//	RefCount             non-blocking  atomicity violation   panic
//	SyncMapTwice         non-blocking  atomicity violation   failure
//	TwoSnapshots         non-blocking  atomicity violation   failure
//	TryLockSkips         non-blocking  atomicity violation   failure
//	TryLockWorks         non-blocking  atomicity violation   failure
//	SelectBoth           non-blocking  select                failure
//	CapturedVariable     non-blocking  anonymous function    race
//	CapturedError        non-blocking  anonymous function    race
//	PlainFlag            non-blocking  missing lock          race
//	TwoLocks             non-blocking  missing lock          race
//	MapAndReader         non-blocking  missing lock          race
//	WriteUnderRLock      non-blocking  missing lock          race
//	SharedAppend         non-blocking  missing lock          race
//	DoubleChecked        non-blocking  missing lock          race
//	PlainAndAtomic       non-blocking  missing lock          race
//	MutexCopy            non-blocking  copy of a mutex       race
//	PoolAfterPut         non-blocking  ownership             race
//	BufferReused         non-blocking  ownership             race
//	LogAfterTest         non-blocking  package testing       race
//
// Three of them need a special point of schedules (docs/design/schedule.md). TryLockSkips: another goroutine runs while the lock is
// held. TimerStop: the sleep ends while the function of the timer still runs. LogAfterTest: the goroutine logs when the
// test's function has returned and the test does not count as done yet.
package kernels
