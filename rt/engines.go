package rt

import (
	"io/fs"
	"maps"
	"slices"

	"taskinstr/detector/context"
	"taskinstr/detector/mem"
	"taskinstr/detector/parallel"
	"taskinstr/detector/race"
	"taskinstr/detector/schedule"
	"taskinstr/detector/serial"
	"taskinstr/detector/serial/drdp"
	"taskinstr/detector/serial/espbags"
	"taskinstr/detector/theorem"
	"taskinstr/detector/trace/wire"
)

// A source is a package of this module whose text joins package runtime.
type source struct {
	dir    string // below the module's root
	prefix string // of its declarations there; the names of rt itself begin with tr_
	files  fs.FS
}

// common are the packages that join every detector. A detector may import them.
var common = []source{
	{"detector/mem", "me_", mem.Source},
	{"detector/context", "cx_", context.Source},
	{"detector/race", "ra_", race.Source},
	{"detector/theorem", "th_", theorem.Source},
	{"detector/schedule", "sc_", schedule.Source},
	{"detector/trace/wire", "tw_", wire.Source},
}

// An engine is a detector as a part of package runtime. All have the entry points of
// package detector/contract.
type engine struct {
	Traits
	source
	under   []source // the other packages that it imports, directly or not, importers last
	folders []string // of files, below files/engine, that join those in files/runtime
}

// Traits are the properties of an engine that decide about a build.
type Traits struct {
	Serial   bool // its tasks run one at a time: the program's schedule is serial
	Shadow   bool // instrumented code tests the shadow memory itself, by pointers that it converts
	Overlaid bool // it needs addresses that get memory as they are written to, which Windows has not
}

// serialTraits are those of the engines that embed package serial.
var serialTraits = Traits{Serial: true, Shadow: true, Overlaid: true}

// under are the packages that the engines of serial execution import.
var under = []source{{"detector/serial", "se_", serial.Source}}

// engines are the detectors, by the name that Target.Detector has. Each takes all of
// files/runtime, and no two of its folders have a file of the same name.
var engines = map[string]engine{
	"":        {Traits{}, source{"detector/parallel", "ti_", parallel.Source}, nil, []string{"parallel"}},
	"drdp":    {serialTraits, source{"detector/serial/drdp", "ti_", drdp.Source}, under, []string{"serial", "drdp"}},
	"espbags": {serialTraits, source{"detector/serial/espbags", "ti_", espbags.Source}, under, []string{"serial", "espbags"}},
}

// TraitsOf returns the traits of a detector, one of Detectors.
func TraitsOf(detector string) Traits { return engines[detector].Traits }

// paths returns the folders of the engine's files.
func (e engine) paths() []string {
	var list []string
	for _, f := range e.folders {
		list = append(list, "files/engine/"+f)
	}
	return list
}

// Detectors returns the names that Target.Detector may have.
func Detectors() []string { return slices.Sorted(maps.Keys(engines)) }

// merged returns the files of a detector and of the common packages as files of package
// runtime.
func (e engine) merged() ([]File, error) {
	return merge(append(append(slices.Clone(common), e.under...), e.source)...)
}
