package wrapper

import (
	"strings"

	"taskinstr/cmd/taskinstr/internal/gocmd"
	"taskinstr/cmd/taskinstr/internal/option"
)

// narrow turns -pkgs into compiler flags where it can, so that each package's
// share of the option is a part of that package's identity in the build cache
// and not of the compiler's: another selection then recompiles what it adds or
// drops and nothing else, and the go command itself reads the patterns.
//
// The go command gives a package the flags of the last -gcflags that matches
// it, so the user's flags have to be repeated beside the mark. That is
// possible when they are the same for all packages; otherwise the option stays
// with the compiler. user holds the flags of GOFLAGS and the command line.
func narrow(o *option.Set, user []gocmd.Flag) []string {
	if !o.Partial() {
		o.Pkgs = nil // no narrowing: the build that -pkgs is left out of
	}
	if len(o.Pkgs) == 0 {
		return nil
	}
	all, ok := compilerFlags(user)
	if !ok {
		return nil
	}
	var args []string
	for _, p := range o.Pkgs {
		if strings.HasPrefix(p, "-") || strings.Contains(p, "=") {
			return nil // -gcflags cannot express it
		}
		args = append(args, "-gcflags="+p+"="+strings.TrimSpace(all+" "+option.Mark))
	}
	o.Pkgs = []string{option.Marked}
	return args
}
