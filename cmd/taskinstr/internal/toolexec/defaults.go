package toolexec

import (
	"bytes"
	"fmt"
	"strings"

	"taskinstr/cmd/internal/option"
	"taskinstr/rt"
)

// defaults returns the settings that the build options imply for the running program, as
// words of the TASKINSTR variable. "" means that the program's own defaults hold.
func defaults(o option.Set) string {
	var words []string
	if o.Locks != option.LocksAll {
		words = append(words, "locks="+o.Locks)
	}
	if rt.TraitsOf(o.Detector).Serial {
		words = append(words, "schedule=serial")
	}
	return strings.Join(words, " ")
}

// optionsFile is the file, added to the runtime by package rt, in which the program reads
// its options: readsFirst is the first such call. A call that reads builtVar precedes it, so
// that the environment wins.
const (
	optionsFile = "taskinstr_options.go"
	readsFirst  = `tr_parseOptions("GORACE", gogetenv("GORACE"))`
	builtVar    = "tr_built"
	readsBuilt  = `tr_parseOptions("the options of taskinstr", ` + builtVar + `); `
	declares    = "\n\n// " + builtVar + " is set by the linker.\nvar " + builtVar + " string\n"
)

// readDefaults adds to the runtime's sources a variable for the defaults, and a call that
// reads it. The linker sets the variable, so that another default compiles nothing.
func readDefaults(sources []source) error {
	for i := range sources {
		s := &sources[i]
		if s.name != optionsFile {
			continue
		}
		if n := bytes.Count(s.data, []byte(readsFirst)); n != 1 {
			return fmt.Errorf("%s reads options in %d places, not in one; this is a defect of taskinstr, please report it", optionsFile, n)
		}
		s.data = bytes.Replace(s.data, []byte(readsFirst), []byte(readsBuilt+readsFirst), 1)
		s.data = append(s.data, declares...)
		return nil
	}
	return fmt.Errorf("the runtime has no file %s; this is a defect of taskinstr, please report it", optionsFile)
}

// setDefaults returns the linker's flags with the defaults added.
func setDefaults(flags []string, words string) []string {
	if words == "" {
		return flags
	}
	return append([]string{"-X=runtime." + builtVar + "=" + words}, flags...)
}
