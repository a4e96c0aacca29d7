package splice

import (
	"regexp"
	"strings"
	"testing"
)

// calls matches the calls that pass a check to the runtime.
var calls = regexp.MustCompile(`\b(check|each|_ti_check1?|_ti_checkn|_ti_checks)\(`)

// TestCounted looks for the count in each helper that makes a check itself, and for no
// count without Config.Count. A helper that counts is not inlined, so it must not hand its pointer to a function value.
func TestCounted(t *testing.T) {
	testCounted(t, false)
	testCounted(t, true)
}

func testCounted(t *testing.T, shadow bool) {
	for n := range helpers(shadow) {
		plain, counting := helperText(n, false, shadow), helperText(n, true, shadow)
		if n != countHelper && n != countNosplit && strings.Contains(plain, "_ti_count") {
			t.Errorf("%s: %s\n%s", n, plain, counting)
		}
		if strings.Contains(counting, "\tcheck(") {
			t.Errorf("%s has variables on the heap:\n%s", n, counting)
		}
		_, body, _ := strings.Cut(plain, "{\n")
		if n == "_ti_value" || n == "_ti_value1" || n == "_ti_each" || !strings.Contains(plain, "\nfunc ") {
			continue
		}
		if calls.MatchString(body) && !strings.Contains(counting, "_ti_count(") && !strings.Contains(counting, "_ti_countn(") {
			t.Errorf("%s makes a check and does not count it:\n%s", n, counting)
		}
	}
}
