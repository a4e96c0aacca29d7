package option

// Mark is the compiler flag with which the wrapper marks a package that gets
// checks. It is taken away before the compiler sees it.
const Mark = "-taskinstr-check"

// Fact, with the digest of a plan behind it, is the compiler flag with which the
// wrapper hands a package its plan. It is taken away as well.
const Fact = "-taskfact="

// The values of Set.Wrapper: how the wrapper, which has looked at the packages and run
// the passes already, tells the tools which packages get checks.
const (
	ByMark = "marks"    // they are marked; -pkgs only says so in words
	ByName = "patterns" // -pkgs decides, as in bare mode, or all are checked
	// Judged is for the wrapper itself: its caller runs several builds and has seen
	// that each pattern of -pkgs selects a package in one of them.
	Judged = "judged"
)
