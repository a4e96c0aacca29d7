package vettool

import (
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"
)

// Asked reports whether the arguments are those of go vet: who are you, what are your
// flags, or a package to look at.
func Asked(args []string) bool {
	if len(args) == 0 || len(args[0]) == 0 || args[0][0] != '-' && len(args) > 1 {
		return false
	}
	last := args[len(args)-1]
	return len(args) == 1 && (last == "-V=full" || last == "-flags") || strings.HasSuffix(last, ".cfg") && all(args[:len(args)-1])
}

// all reports whether the arguments are flags of go vet's form, -name=value.
func all(args []string) bool {
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			return false
		}
	}
	return true
}

// Main serves go vet, with the arguments of the process; it does not return.
func Main() { unitchecker.Main(New()) }
