package selftest

const (
	finalizerRace = "a finalizer writes a variable that the program reads after runtime.GC, which orders nothing"
	counterRace   = "goroutines count in package variables without synchronization"
	storeRace     = "goroutines assign to package variables without synchronization"
	twoWritesRace = "goroutines write an element in two places and another one reads it, without synchronization: " +
		"-race names the first write alone; it names the second write if the first is removed"
)

// racyPrograms maps programs of GOROOT/test that have a race to an explanation of the race.
// -race sees these races in some runs only, or names another access of the same race, so its
// confirmation is not required. The table excuses reports only: output and exit status are
// compared as for any program.
var racyPrograms = map[string]string{
	"chan/powser1.go":          counterRace,
	"chan/powser2.go":          counterRace,
	"finprofiled.go":           finalizerRace,
	"fixedbugs/issue13160.go":  twoWritesRace,
	"fixedbugs/issue27518b.go": finalizerRace,
	"fixedbugs/issue29362.go":  storeRace,
	"fixedbugs/issue29362b.go": storeRace,
	"fixedbugs/issue32477.go":  finalizerRace,
	"mallocfin.go":             finalizerRace,
	"stackobj.go":              finalizerRace,
	"stackobj3.go":             finalizerRace,
}
