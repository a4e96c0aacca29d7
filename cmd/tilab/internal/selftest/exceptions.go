package selftest

import "strings"

// An exception names cases that are known to fail, with the reason. These cases are run,
// and count as passed if they pass.
type exception struct {
	suite string
	name  string // the case; a trailing * matches any rest
	// version, if not empty, is the Go release ("go1.27") it is limited to.
	version string
	reason  string
}

// exceptions is the table of all known exceptions. Each entry needs a reason that a reader
// can check; "flaky" is not a reason.
var exceptions = []exception{
	{suite: "std", name: "sync.TestPool*", reason: noPoolTests},
	{suite: "std", name: "math/big.TestNewIntAllocs", reason: notInlined},
	{suite: "std", name: "net.TestAllocs", reason: notInlined},
	{suite: "std", name: "reflect.TestMapIterSet", reason: notInlined},
	{suite: "gotest", name: "noinit.go", reason: "it counts the functions that initialize a package: the compiler replaces the call of " +
		"a constructor by data, but not if the constructor has a check"},
}

const notInlined = "it counts allocations, and expects none where the compiler inlines a constructor (NewInt, ReadFromUDP, MapRange); " +
	"with a check of its writes the constructor is too large for that"

const noPoolTests = "pool_test.go has the build constraint !race: a Pool drops one Put in four, at random, " +
	"when internal/race.Enabled is set, as it is here"

// findException returns the entry of the table for a case under a release of Go.
func findException(table []exception, suite, name, goversion string) (exception, bool) {
	for _, e := range table {
		if e.suite != suite {
			continue
		}
		if e.version != "" && e.version != goversion && !strings.HasPrefix(goversion, e.version+".") {
			continue
		}
		if prefix, ok := strings.CutSuffix(e.name, "*"); e.name == name || ok && strings.HasPrefix(name, prefix) {
			return e, true
		}
	}
	return exception{}, false
}
