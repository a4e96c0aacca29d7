package vettool

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"
)

// Asked reports whether go vet has made the call with these arguments, which asks for the
// tool's version, for its flags, or for the diagnostics of a package.
func Asked(args []string) bool {
	if len(args) == 0 || len(args[0]) == 0 || args[0][0] != '-' && len(args) > 1 {
		return false
	}
	last := args[len(args)-1]
	return len(args) == 1 && (last == "-V=full" || last == "-flags") || strings.HasSuffix(last, ".cfg") &&
		!slices.ContainsFunc(args[:len(args)-1], func(a string) bool { return !strings.HasPrefix(a, "-") }) // go vet writes -name=value
}

// Main serves go vet, with the arguments of the process; it does not return.
func Main() { unitchecker.Main(New()) }
