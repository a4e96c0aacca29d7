package option

// Mark is the compiler flag by which the wrapper marks a package that gets checks.
// Package toolexec removes it before the compiler runs.
const Mark = "-taskinstr-check"

// Plan, followed by the digest of a plan, is the compiler flag by which the wrapper assigns
// a package its plan. Package toolexec removes it before the compiler runs.
const Plan = "-taskinstr-plan="

// The values of Set.Wrapper. The wrapper has listed the packages and run the passes
// before the tools start; the value says how the tools learn which packages get checks.
const (
	ByMark = "marks"    // marked packages get checks; -pkgs serves messages only
	ByName = "patterns" // packages that -pkgs selects get checks, as in bare mode
	// Judged is for the wrapper itself: its caller runs several builds and has verified
	// that each pattern of -pkgs selects a package in one of them.
	Judged = "judged"
)
